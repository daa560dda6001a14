package dev.kvorum.node.boot;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.ManagementSettings;
import dev.kvorum.node.http.BodyGuard;
import dev.kvorum.node.http.NewConnections;
import dev.kvorum.node.http.PortLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Guards the management port, which is a context of its own: it finds this class by {@code META-INF/spring}. */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class ManagementPortWiring {
    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> managementPort(
            PortLimits managementLimits, ManagementSettings management, HttpSettings http) {
        NewConnections newcomers = new NewConnections(
                managementLimits, channel -> guard(channel, managementLimits, management, http), status -> {});
        return factory -> factory.addServerCustomizers(server -> managementLimits
                .sendLimited(server)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit(newcomers));
    }

    /** Spring's own bound would refuse a topology of 256 KiB, which is a parameter in JSON; {@code kvorum.management.body-max} bounds bodies here. */
    @Bean
    WebFluxConfigurer managementCodecs(ManagementSettings management) {
        return new WebFluxConfigurer() {
            @Override
            public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
                codecs.defaultCodecs()
                        .maxInMemorySize((int) management.bodyMax().toBytes());
            }
        };
    }

    @Bean
    ManagementRequests managementRequests() {
        return new ManagementRequests();
    }

    private static void guard(Channel channel, PortLimits limits, ManagementSettings management, HttpSettings http) {
        BodyGuard.install(channel, management.bodyMax().toBytes(), http.bodyTimeout(), limits.metrics());
        limits.guardHttp1(channel, status -> {});
    }
}
