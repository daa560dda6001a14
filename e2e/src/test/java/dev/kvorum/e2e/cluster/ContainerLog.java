package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** What a container has printed until now. */
final class ContainerLog {
    private static final int SECONDS_MAX = 20;

    private ContainerLog() {}

    /** Puts it at the end of a file, which need not be there. Blocks. */
    static void append(String containerId, Path file) {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                ResultCallback.Adapter<Frame> lines = new ResultCallback.Adapter<>() {
                    @Override
                    public void onNext(Frame frame) {
                        try {
                            out.write(frame.getPayload());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                }) {
            Engine.docker()
                    .logContainerCmd(containerId)
                    .withStdOut(true)
                    .withStdErr(true)
                    .exec(lines)
                    .awaitCompletion(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
