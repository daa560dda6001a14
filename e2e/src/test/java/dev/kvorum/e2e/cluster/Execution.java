package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What came of a command in a container.
 *
 * @param status 126 and more where it could not be run
 */
public record Execution(long status, String printed) {
    private static final int SECONDS_MAX = 60;

    /** Runs it, and blocks until it has ended. */
    public static Execution in(Node node, List<String> command) {
        DockerClient docker = Engine.docker();
        String id = docker.execCreateCmd(node.containerId())
                .withCmd(command.toArray(String[]::new))
                .withAttachStdout(true)
                .withAttachStderr(true)
                .exec()
                .getId();
        Output output = new Output();
        try (output) {
            docker.execStartCmd(id).exec(output).awaitCompletion(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long status = Objects.requireNonNull(docker.inspectExecCmd(id).exec().getExitCodeLong(), "it has not ended");
        return new Execution(status, output.text());
    }

    /** What it printed, where it ended with 0; fails otherwise. */
    String printedIfDone(String... command) {
        if (status != 0) {
            throw new AssertionError(String.join(" ", command) + " ended with " + status + ": " + printed);
        }
        return printed;
    }

    /** Gathers what a container prints. */
    static final class Output extends ResultCallback.Adapter<Frame> {
        private final StringBuilder text = new StringBuilder();

        @Override
        public synchronized void onNext(Frame frame) {
            text.append(new String(frame.getPayload(), StandardCharsets.UTF_8));
        }

        synchronized String text() {
            return text.toString();
        }
    }
}
