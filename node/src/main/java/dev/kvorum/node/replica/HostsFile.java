package dev.kvorum.node.replica;

import io.netty.resolver.HostsFileEntriesProvider;
import io.netty.resolver.HostsFileEntriesResolver;
import io.netty.resolver.ResolvedAddressTypes;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts file as it is now. A lookup answers from memory; when that is older than {@link #FRESH} it also has the file read again, for the next
 * lookup. So a changed entry counts from the second attempt to connect on, and no event loop reads a file. Any thread.
 */
public final class HostsFile implements HostsFileEntriesResolver {
    static final Duration FRESH = Duration.ofSeconds(1);

    private final Path path;
    private final Executor reading;
    private final LongSupplier nanos;
    private final AtomicBoolean isRead = new AtomicBoolean();
    private volatile HostsFileEntriesProvider entries;
    private volatile long readAt;

    /**
     * Reads it for the first time. Blocks. A file that is missing or can't be read has no entries.
     *
     * @param reading runs what may block
     * @param nanos nanoseconds from any origin, never back
     */
    public HostsFile(Path path, Executor reading, LongSupplier nanos) {
        this.path = path;
        this.reading = reading;
        this.nanos = nanos;
        this.readAt = nanos.getAsLong();
        this.entries = read();
    }

    /** That of the system; the JVM's option {@code jdk.net.hosts.file} names another, as it does for the JDK's own lookups. */
    public static HostsFile ofSystem(Executor reading) {
        return new HostsFile(
                Path.of(System.getProperty("jdk.net.hosts.file", "/etc/hosts")), reading, System::nanoTime);
    }

    private HostsFileEntriesProvider read() {
        return HostsFileEntriesProvider.parser().parseSilently(path.toFile());
    }

    @Override
    public @Nullable InetAddress address(String host, ResolvedAddressTypes types) {
        refresh();
        String name = host.toLowerCase(Locale.ENGLISH);
        HostsFileEntriesProvider now = entries;
        Stream<Map<String, List<InetAddress>>> order = switch (types) {
            case IPV4_ONLY -> Stream.of(now.ipv4Entries());
            case IPV6_ONLY -> Stream.of(now.ipv6Entries());
            case IPV4_PREFERRED -> Stream.of(now.ipv4Entries(), now.ipv6Entries());
            case IPV6_PREFERRED -> Stream.of(now.ipv6Entries(), now.ipv4Entries());
        };
        return order.flatMap(known -> known.getOrDefault(name, List.of()).stream())
                .findFirst()
                .orElse(null);
    }

    private void refresh() {
        if (nanos.getAsLong() - readAt < FRESH.toNanos() || !isRead.compareAndSet(false, true)) {
            return;
        }
        try {
            reading.execute(this::readAgain);
        } catch (RejectedExecutionException e) {
            isRead.set(false); // The next lookup tries again; this one has its answer.
        }
    }

    private void readAgain() {
        try {
            readAt = nanos.getAsLong();
            entries = read();
        } finally {
            isRead.set(false);
        }
    }
}
