package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.core.Load;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.core.Ports;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.CallFailedException.Reason;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.PeerClient;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.Peers;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.storage.rocks.SmallStore;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A node and one other member, which answers as the test says. {@code RehearsalIT} has real ones. */
@Timeout(60)
class RehearsalTest {
    private static final Mono<ClientResponse> FAILED = Mono.error(new CallFailedException(Reason.UNREACHABLE, "late"));
    private static final Duration SOON = Duration.ofSeconds(20); // On a machine that has too much to do.

    @TempDir
    Path parent;

    private final AtomicLong clock = new AtomicLong();
    private final CompletableFuture<Void> timed = new CompletableFuture<>();
    private final Deadlines deadlines = new Deadlines(clock::get, () -> timed.complete(null));
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Queue<Mono<ClientResponse>> first = new ConcurrentLinkedQueue<>();
    private RocksStore store;
    private NodeCore core;

    @BeforeEach
    void open() {
        DataDirectory directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", Topologies.PARTITIONS);
        store = SmallStore.open(directory.database());
        Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2"));
        core = new NodeCore(membership, directory, store, ports(), settings());
    }

    @AfterEach
    void close() {
        core.close();
        store.close();
    }

    private Ports ports() {
        return new Ports(
                new OnePeer(),
                new Deadlines(System::nanoTime, () -> {}),
                System::currentTimeMillis,
                new Random(1),
                Schedulers.boundedElastic(),
                new Load(FanOut.ALL, new ByteBudget(1 << 20), () -> false, () -> 0),
                new SimpleMeterRegistry(),
                reason -> {});
    }

    private static CoreSettings settings() {
        return new CoreSettings(
                Settings.of(QuorumSettings.class).get(),
                Settings.of(ReadSettings.class).get(),
                Settings.of(PeerSettings.class).get(),
                Settings.of(ClockSettings.class).get(),
                SmallStore.settings(),
                SmallStore.hints(),
                Settings.of(RepairSettings.class).get(),
                DataSize.ofMegabytes(1));
    }

    /** It is asked over no connection. */
    private final class OnePeer implements Peers {
        @Override
        public PeerClient client() {
            return PeerClient.of(WebClient.builder()
                    .exchangeFunction(call -> answer(call.url().getPath()))
                    .build());
        }

        @Override
        public void become(Collection<Member> members) {
            // There is one.
        }

        @Override
        public void hurry(URI member) {
            // Nothing waits before a call.
        }
    }

    private Mono<ClientResponse> answer(String path) {
        asked.add(path);
        Mono<ClientResponse> said = first.poll();
        HttpStatus status = path.equals(PeerOperation.READ.path()) ? HttpStatus.NOT_FOUND : HttpStatus.NO_CONTENT;
        return said == null ? Mono.just(ClientResponse.create(status).build()) : said;
    }

    private CompletableFuture<Void> made(Duration longest, Predicate<URI> missing) {
        Rehearsal rehearsal = new Rehearsal(core, List.of(Runnable::run), missing, deadlines);
        return CompletableFuture.runAsync(() -> rehearsal.make(longest));
    }

    /** So much, and the millisecond that a deadline may be late. */
    private void pass(Duration time) {
        clock.addAndGet(time.toNanos() + TimeUnit.MILLISECONDS.toNanos(1));
        deadlines.sweep();
    }

    @Test
    void memberThatIsSilentDelaysAStartNoLongerThanItMay() {
        first.add(Mono.never());

        CompletableFuture<Void> made = made(Duration.ofSeconds(1), peer -> false);

        timed.join();
        assertThat(made).isNotDone();
        pass(Duration.ofSeconds(1));
        assertThat(made).succeedsWithin(SOON);
    }

    @Test
    void memberThatIsThereIsCalledAgainAfterACallHasFailed() {
        first.add(FAILED);

        CompletableFuture<Void> made = made(Duration.ofMinutes(1), peer -> false);

        CompletableFuture.anyOf(timed, made).join();
        assertThat(made).isNotDone();
        pass(Rehearsal.BETWEEN);
        assertThat(made).succeedsWithin(SOON);
        assertThat(asked)
                .containsSubsequence(
                        PeerOperation.HERE.path(),
                        PeerOperation.HERE.path(),
                        PeerOperation.READ.path(),
                        PeerOperation.WRITE.path());
    }

    @Test
    void memberThatIsMissingIsCalledOnce() {
        first.add(FAILED);

        assertThat(made(Duration.ofMinutes(1), peer -> true)).succeedsWithin(SOON);

        assertThat(asked).containsExactly(PeerOperation.HERE.path());
    }
}
