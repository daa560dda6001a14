package dev.kvorum.load.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** One node: the jar in a process of its own, and in another one after each restart. Any thread, but one at a time starts or ends it. */
public final class NodeProcess {
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 50;
    private static final int LOG_TAIL_LINES = 15;

    private final NodeLaunch launch;
    private final int apiPort;
    private final int peerPort;
    private final ManagementPort management;
    private volatile Process process;
    private volatile CompletableFuture<Instant> ended;
    private final AtomicInteger life = new AtomicInteger(1);
    private volatile boolean stopsAtOnce;

    /** Starts the process; does not wait until it serves. */
    NodeProcess(NodeLaunch launch, int apiPort, int peerPort, ManagementPort management) throws IOException {
        this.launch = launch;
        this.apiPort = apiPort;
        this.peerPort = peerPort;
        this.management = management;
        this.process = launch.start();
        this.ended = endOf(process);
    }

    private static CompletableFuture<Instant> endOf(Process process) {
        return process.onExit().thenApply(_ -> Instant.now());
    }

    public String id() {
        return launch.id();
    }

    public long pid() {
        return process.pid();
    }

    public URI api() {
        return URI.create("http://127.0.0.1:" + apiPort);
    }

    public URI peer() {
        return URI.create("http://127.0.0.1:" + peerPort);
    }

    public ManagementPort management() {
        return management;
    }

    /** How its process ended; empty while it runs. */
    public OptionalInt exitCode() {
        Process last = process;
        return last.isAlive() ? OptionalInt.empty() : OptionalInt.of(last.exitValue());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** When its last process ended, by this machine's clock; empty while one runs. */
    public Optional<Instant> endedAt() {
        CompletableFuture<Instant> end = ended; // First: never that of a later process than the one below.
        return process.isAlive() ? Optional.empty() : Optional.of(end.join());
    }

    /** The how manieth process it is, from 1; told before that serves anything, and after the one before has ended. */
    public int life() {
        return life.get();
    }

    private String logTail() throws IOException {
        List<String> lines = Files.readAllLines(launch.log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }

    /**
     * Waits until it serves.
     *
     * @throws IOException if it ends before that, or is not ready in time; the message ends with its log's end
     */
    public void awaitReady(Duration max) throws IOException, InterruptedException {
        awaitReadyUnless(max, () -> false);
    }

    /** The same, or until it need not be ready any more; whether it is. */
    public boolean awaitReadyUnless(Duration max, BooleanSupplier needNot) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + max.toNanos();
        while (!management.isReady()) {
            if (needNot.getAsBoolean()) {
                return false;
            }
            if (!isAlive() || System.nanoTime() > deadline) {
                throw new IOException("Node " + id()
                        + (isAlive() ? " is not ready after " + max : " ended before it was ready")
                        + "; its log ends with:\n" + logTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Stops it in its tracks: its connections stay open, nothing answers. */
    public void freeze() throws IOException, InterruptedException {
        stopsAtOnce = true;
        signal("STOP");
    }

    /** Lets it go on where it was stopped. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
        stopsAtOnce = false;
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder(
                        "sh", "-c", "kill -" + name + " " + pid()) // Every shell has it, not every system.
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " of " + id() + " ended with " + code);
        }
    }

    /** Kills it without a warning. */
    public void kill() {
        stopsAtOnce = true;
        process.destroyForcibly();
    }

    /** Ends it as an administrator would, and waits for that; kills it after some seconds. */
    public void stop() throws InterruptedException {
        var _ = stop(STOP_MAX);
    }

    /** The same with that patience; whether it ended without being killed for its delay. */
    public boolean stop(Duration max) throws InterruptedException {
        askToStop();
        return awaitStop(max);
    }

    /** Starts it again, once it has ended; does not wait until it serves. */
    void restart() throws IOException, InterruptedException {
        awaitStop();
        life.incrementAndGet();
        stopsAtOnce = false;
        process = launch.start();
        ended = endOf(process);
    }

    void askToStop() {
        if (stopsAtOnce) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    /** Waits until it has ended, and kills it after some seconds. */
    public void awaitEnd() throws InterruptedException {
        awaitStop();
    }

    private void awaitStop() throws InterruptedException {
        var _ = awaitStop(STOP_MAX);
    }

    /** Waits for its end, and kills it after this time; whether it ended before. */
    boolean awaitStop(Duration max) throws InterruptedException {
        boolean isInTime = process.waitFor(max.toNanos(), TimeUnit.NANOSECONDS);
        if (!isInTime) {
            process.destroyForcibly();
            process.waitFor();
        }
        return isInTime;
    }
}
