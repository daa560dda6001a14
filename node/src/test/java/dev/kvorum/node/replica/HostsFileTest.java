package dev.kvorum.node.replica;

import static io.netty.resolver.ResolvedAddressTypes.IPV4_ONLY;
import static io.netty.resolver.ResolvedAddressTypes.IPV4_PREFERRED;
import static io.netty.resolver.ResolvedAddressTypes.IPV6_ONLY;
import static io.netty.resolver.ResolvedAddressTypes.IPV6_PREFERRED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFileTest {
    @TempDir
    Path directory;

    private Path path;
    private final Queue<Runnable> reading = new ArrayDeque<>();
    private long nanos;

    @BeforeEach
    void write() throws IOException {
        path = directory.resolve("hosts");
        Files.writeString(path, "10.0.0.1 one Two # three\n::7 one\n");
    }

    @Test
    void nameIsFoundInEitherFamilyAndAnyCase() throws IOException {
        HostsFile hosts = new HostsFile(path, reading::add, () -> nanos);

        assertThat(hosts.address("ONE", IPV4_PREFERRED)).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        assertThat(hosts.address("one", IPV6_PREFERRED)).isEqualTo(InetAddress.ofLiteral("::7"));
        assertThat(hosts.address("two", IPV6_PREFERRED)).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        assertThat(hosts.address("two", IPV6_ONLY)).isNull();
        assertThat(hosts.address("three", IPV4_ONLY)).isNull();
    }

    @Test
    void fileIsReadAgainAfterARejectionAndAfterEachReading() {
        AtomicBoolean rejects = new AtomicBoolean(true);
        AtomicInteger readings = new AtomicInteger();
        HostsFile hosts = new HostsFile(
                path,
                task -> {
                    if (rejects.get()) {
                        throw new RejectedExecutionException("as the test says");
                    }
                    readings.incrementAndGet();
                    task.run();
                },
                () -> nanos);

        nanos += HostsFile.FRESH.toNanos();
        hosts.address("one", IPV4_ONLY);
        rejects.set(false);
        hosts.address("one", IPV4_ONLY);
        assertThat(readings).hasValue(1);

        nanos += HostsFile.FRESH.toNanos();
        hosts.address("one", IPV4_ONLY);
        assertThat(readings).hasValue(2);
    }

    @Test
    void fileIsReadAgainWhereItIsOldAndOnlyOnceAtATime() throws IOException {
        HostsFile hosts = new HostsFile(path, reading::add, () -> nanos);
        Files.writeString(path, "10.0.0.2 one\n");
        assertThat(hosts.address("one", IPV4_ONLY)).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        assertThat(reading).isEmpty();

        nanos += HostsFile.FRESH.toNanos();
        assertThat(hosts.address("one", IPV4_ONLY)).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        hosts.address("one", IPV4_ONLY);
        assertThat(reading).hasSize(1);
        reading.remove().run();

        assertThat(hosts.address("one", IPV4_ONLY)).isEqualTo(InetAddress.ofLiteral("10.0.0.2"));
    }

    @Test
    void fileThatIsMissingHasNoEntriesUntilItIsThere() throws IOException {
        Files.delete(path);
        HostsFile hosts = new HostsFile(path, Runnable::run, () -> nanos);
        assertThat(hosts.address("one", IPV4_ONLY)).isNull();

        write();
        nanos += HostsFile.FRESH.toNanos();
        hosts.address("one", IPV4_ONLY);

        assertThat(hosts.address("one", IPV4_ONLY)).isNotNull();
    }

    @Test
    void lookupIsAnsweredThoughTheFileCannotBeReadAgainNow() throws IOException {
        HostsFile hosts = new HostsFile(
                path,
                task -> {
                    throw new RejectedExecutionException("as the test says");
                },
                () -> nanos);
        nanos += HostsFile.FRESH.toNanos();

        assertThat(hosts.address("one", IPV4_ONLY)).isEqualTo(InetAddress.ofLiteral("10.0.0.1"));
        assertThat(hosts.address("one", IPV4_ONLY)).isNotNull();
    }
}
