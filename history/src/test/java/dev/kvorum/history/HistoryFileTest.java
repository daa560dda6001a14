package dev.kvorum.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.history.Answer.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsReadIsWhatWasWritten() throws IOException {
        History history = new History(
                List.of(
                        Told.write("a \"quoted\" value", 1).at(0, 1),
                        Told.write("b", Outcome.UNKNOWN).quorum(1, 5).at(1, 2),
                        Told.delete(2).through("n2", Operation.LIFE_UNKNOWN).at(2, 3),
                        Told.found("b", 3).on("a key").at(3, 4),
                        Told.foundDeleted(2).at(4, 5),
                        Told.foundNothing().at(5, 6),
                        conditional(Answer.refused(Told.versionOf(3))),
                        conditional(Answer.refused(null))),
                List.of(Told.loss("n3", 2, 4), new DiskLoss("n2", 0, 3, 9)),
                List.of(
                        Told.copy("n1", "b", 3),
                        Told.tombstone("n2", 2),
                        Told.nothing("n3"),
                        new Copy("n4", Told.KEY, false, true, Told.versionOf(3), "b")));
        Path file = directory.resolve("history.jsonl");

        HistoryFile.write(history, file);

        assertThat(HistoryFile.read(file)).isEqualTo(history);
    }

    private static Operation conditional(Answer answer) {
        Request request = new Request(Request.Kind.WRITE, Request.Mode.LINEARIZABLE, "k", "c", 2, 3, Request.ABSENT);
        return new Operation(1, "n1", 1, request, answer, 7, 8);
    }

    @Test
    void refusedWriteIsALineAsDocumented() {
        assertThat(HistoryFile.lineOf(conditional(Answer.refused(Told.versionOf(3)))))
                .isEqualTo(
                        "{\"type\":\"operation\",\"client\":1,\"node\":\"n1\",\"life\":1,\"kind\":\"write\",\"mode\":\"linearizable\","
                                + "\"key\":\"k\",\"ack\":2,\"from\":3,\"invoked\":7,\"returned\":8,\"outcome\":\"refused\","
                                + "\"value\":\"c\",\"version\":\"00000000000300000000000000000000\",\"expected\":\"absent\"}");
    }

    @Test
    void operationIsOneLineAsDocumented() {
        assertThat(HistoryFile.lineOf(Told.write("c3-14", 1).at(1, 2)))
                .isEqualTo(
                        "{\"type\":\"operation\",\"client\":1,\"node\":\"n1\",\"life\":1,\"kind\":\"write\",\"mode\":\"quorum\","
                                + "\"key\":\"k\",\"ack\":2,\"from\":3,\"invoked\":1000000,\"returned\":2000000,\"outcome\":\"ok\","
                                + "\"value\":\"c3-14\",\"version\":\"00000000000100000000000000000000\"}");
    }

    @Test
    void malformedLineIsNamed() throws IOException {
        assertThatThrownBy(() -> HistoryFile.read(
                        fileOf(HistoryFile.lineOf(Told.foundNothing().at(0, 1)), "{")))
                .isInstanceOf(MalformedHistoryException.class)
                .hasMessageStartingWith("line 2: ");
        assertThatThrownBy(() -> HistoryFile.read(fileOf("{\"type\":\"rumour\"}")))
                .hasMessage("line 1: there is no line of type \"rumour\"");
        assertThatThrownBy(() -> HistoryFile.read(fileOf("{\"type\":\"loss\",\"node\":\"n1\",\"since\":1}")))
                .hasMessage("line 1: at is missing");
    }

    private Path fileOf(String... lines) throws IOException {
        return Files.write(directory.resolve("broken.jsonl"), List.of(lines));
    }
}
