package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ChangeCommandTest {
    @Test
    void commandHasDoneWhatItWasToIfItEndsWithNought() throws Exception {
        assertThat(running("exit 0").awaitEndOrKill()).isTrue();
        assertThat(running("exit 1").awaitEndOrKill()).isFalse();
    }

    @Test
    void commandIsKilledWhenTheWaitForItIsInterrupted() throws Exception {
        ChangeCommand.Running command = running("exec cat"); // Its input never ends.

        Thread.currentThread().interrupt();

        assertThatThrownBy(command::awaitEndOrKill).isInstanceOf(InterruptedException.class);
        assertThat(command.process().waitFor()).isNotZero();
    }

    private static ChangeCommand.Running running(String script) throws IOException {
        return new ChangeCommand.Running(new ProcessBuilder("sh", "-c", script).start());
    }
}
