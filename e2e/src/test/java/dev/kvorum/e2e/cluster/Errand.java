package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.model.HostConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One command in a container of its own, which is gone when it has ended.
 *
 * @param atMost how long it may take
 */
record Errand(String image, HostConfig host, String user, Duration atMost) {
    /** Runs it and answers with what came of it; the command is what follows the entry point of the image. Blocks. */
    Execution run(String... command) {
        DockerClient docker = Engine.docker();
        String id = docker.createContainerCmd(image)
                .withLabels(Engine.labels())
                .withHostConfig(host)
                .withUser(user)
                .withCmd(command)
                .exec()
                .getId();
        try {
            docker.startContainerCmd(id).exec();
            long status = docker.waitContainerCmd(id).start().awaitStatusCode(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return new Execution(status, printed(id));
        } catch (DockerClientException e) {
            throw new IllegalStateException(
                    String.join(" ", command) + " did not end within " + atMost.toSeconds() + " s: " + printed(id), e);
        } finally {
            docker.removeContainerCmd(id).withForce(true).exec();
        }
    }

    private String printed(String id) {
        Execution.Output output = new Execution.Output();
        try (output) {
            Engine.docker()
                    .logContainerCmd(id)
                    .withStdOut(true)
                    .withStdErr(true)
                    .exec(output)
                    .awaitCompletion(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return output.text();
    }
}
