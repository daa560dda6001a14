package dev.kvorum.node.cluster;

import dev.kvorum.node.boot.KvorumNode;
import dev.kvorum.node.config.HttpSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** One real node in this process: its own sockets, database and beans. It can be stopped and started again. */
public final class TestNode implements AutoCloseable {
    private final String id;
    private final Path directory;
    private final Path topologyFile;
    private final List<String> settings;
    private final int apiPort = Ports.free();
    private final int peerPort = Ports.free();
    private final TcpProxy proxy = new TcpProxy(peerPort);
    private final NodeClient client = new NodeClient(apiPort);
    private @Nullable ConfigurableApplicationContext context;

    TestNode(String id, Path directory, Path topologyFile, List<String> settings) {
        this.id = id;
        this.directory = directory;
        this.topologyFile = topologyFile;
        this.settings = settings;
    }

    public String id() {
        return id;
    }

    public int apiPort() {
        return apiPort;
    }

    /** Where other members reach it: through its proxy. */
    public int advertisedPeerPort() {
        return proxy.port();
    }

    /** The management port, which is a free one. */
    public int managementPort() {
        return Objects.requireNonNull(context, () -> id + " is stopped")
                .getEnvironment()
                .getRequiredProperty("local.management.port", Integer.class);
    }

    /** Its peers' port itself. */
    public int peerPort() {
        return peerPort;
    }

    public NodeClient client() {
        return client;
    }

    public TcpProxy proxy() {
        return proxy;
    }

    public MeterRegistry meters() {
        return bean(MeterRegistry.class);
    }

    /** What its counters of that name have counted, whatever their tags. */
    public double counted(String name) {
        return meters().get(name).meters().stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(Measurement::getValue)
                .sum();
    }

    /** How many other members it can call without connecting first; not told over HTTP, where it connects with the call. */
    public int connections() {
        Gauge ready = meters().find("kvorum.frames.connections").gauge();
        return ready == null
                ? Integer.MAX_VALUE
                : (int) ready.value() / bean(HttpSettings.class).loops();
    }

    /** A part of the running node. */
    public <T> T bean(Class<T> type) {
        return Objects.requireNonNull(context, () -> id + " is stopped").getBean(type);
    }

    public boolean isRunning() {
        return context != null;
    }

    /**
     * Starts it and returns when it serves.
     *
     * @param more options of this run alone
     */
    public void start(String... more) {
        context = SpringApplication.run(KvorumNode.class, arguments(List.of(more)));
    }

    private String[] arguments(List<String> more) {
        Map<String, String> options = new LinkedHashMap<>(Patience.OPTIONS);
        options.put("--kvorum.node-id", id);
        options.put("--kvorum.data-dir", directory.toString());
        options.put("--kvorum.topology-file", topologyFile.toString());
        options.put("--kvorum.peer-address", "127.0.0.1");
        options.put("--kvorum.repair.load-max", "100"); // Tests keep all processors busy themselves.
        options.put("--kvorum.peer-port", Integer.toString(peerPort));
        options.put("--server.address", "127.0.0.1");
        options.put("--server.port", Integer.toString(apiPort));
        options.put("--management.server.port", "0");
        options.put("--management.metrics.use-global-registry", "false");
        options.put("--logging.structured.format.console", "");
        options.put("--logging.level.root", "warn");
        Stream.concat(settings.stream(), more.stream()).forEach(option -> Patience.replace(options, option));
        return options.entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .toArray(String[]::new);
    }

    /** Stops it as a SIGTERM would; its data stays. */
    public void stop() {
        ConfigurableApplicationContext running = context;
        context = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void close() {
        stop();
        proxy.close();
    }
}
