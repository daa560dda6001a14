package dev.kvorum.node.membership;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The file that names the members. It is read again at every interval rather than watched: a mounted ConfigMap changes by
 * swapping links, which file notifications miss.
 */
public final class TopologyFile {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyFile.class);
    private static final long BYTES_MAX = 4L << 20;

    private final Path path;
    private byte[] lastRead = {};
    private String lastProblem = "";
    private volatile long reads;

    public TopologyFile(Path path) {
        this.path = path;
    }

    /**
     * Reads it. Blocks.
     *
     * @throws InvalidTopologyException if it can't be read or used; the message names the file and the reason
     */
    public synchronized Topology read() {
        try {
            lastRead = bytes();
            return TopologyJson.read(lastRead);
        } catch (IOException e) {
            throw new InvalidTopologyException("the topology file " + path + " can't be read: " + e, e);
        } catch (InvalidTopologyException e) {
            throw new InvalidTopologyException("the topology file " + path + " can't be used: " + e.getMessage(), e);
        }
    }

    /**
     * Hands each new content to the consumer until disposed of. A file that can't be used is logged once, and read again.
     *
     * @param scheduler one that may block
     */
    public Disposable watch(Duration interval, Scheduler scheduler, Consumer<Topology> consumer) {
        return scheduler.schedulePeriodically(
                () -> poll(consumer), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** How often it was read; a file that nobody reads any more can't change the cluster. Any thread. */
    public long reads() {
        return reads;
    }

    synchronized void poll(Consumer<Topology> consumer) {
        try {
            byte[] now = bytes();
            if (!Arrays.equals(now, lastRead)) {
                consumer.accept(TopologyJson.read(now));
                lastRead = now; // Not before: what could not be taken over is offered again.
            }
            lastProblem = "";
        } catch (IOException | InvalidTopologyException e) {
            complainOnce(e instanceof IOException ? e.toString() : String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // A throw would end the watch for good.
            complainOnce("it could not be taken over: " + e);
        } finally {
            reads++;
        }
    }

    private byte[] bytes() throws IOException {
        long size = Files.size(path);
        if (size > BYTES_MAX) {
            throw new InvalidTopologyException("it has " + size + " bytes, the longest is " + BYTES_MAX);
        }
        return Files.readAllBytes(path);
    }

    private void complainOnce(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            LOG.error("The topology file {} is refused, the former topology stays in force: {}", path, problem);
        }
    }
}
