package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.thread.TimeSlice;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import reactor.netty.resources.LoopResources;

class ServerWiringTest {
    @Test
    void eventLoopsHaveShortSlices() {
        assumeThat(TimeSlice.ofThisThread())
                .as("slices of their own, as of Linux 6.12")
                .isPositive();
        HttpSettings settings = new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("kvorum.http", HttpSettings.class);
        LoopResources loops = new ServerWiring().loopResources(settings);
        try {
            assertThat(loops.onServer(true))
                    .allSatisfy(loop -> assertThat(
                                    loop.submit(TimeSlice::ofThisThread).get())
                            .isEqualTo(TimeSlice.SHORTEST));
        } finally {
            loops.dispose();
        }
    }
}
