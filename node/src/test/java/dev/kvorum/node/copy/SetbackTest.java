package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SetbackTest {
    @Test
    void memberAndReasonAreNamed() {
        ReplicaFailure failure = new ReplicaFailure("n3", Reason.UNREACHABLE, "it refused the connection");

        assertThat(Setback.inWords(7, new CopyUnavailableException(failure)))
                .isEqualTo("n3: it refused the connection");
        assertThat(Setback.inWords(7, new StoreOverloadedException())).isEqualTo("the storage queue is full");
    }

    @Test
    void unexpectedExceptionIsNotShown() {
        assertThat(Setback.inWords(7, new IOException("sun.nio.ch.FileDispatcherImpl: no space left")))
                .isEqualTo("this node failed; its log says why");
    }
}
