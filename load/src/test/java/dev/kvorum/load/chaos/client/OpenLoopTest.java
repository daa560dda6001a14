package dev.kvorum.load.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.HistoryFile;
import dev.kvorum.history.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenLoopTest {
    private static final String VERSION = "01a1fe425028000076ff4071f97f69d2";
    private static final double RATE = 500;
    private static final Duration LENGTH = Duration.ofMillis(400);
    private static final int COUNT = 200;
    private static final Duration LONG = Duration.ofSeconds(30); // A busy machine may take its time to begin.

    @TempDir
    Path folder;

    private List<Operation> operations(Duration patience, Target... targets) throws Exception {
        Path file = folder.resolve("history.jsonl");
        try (Recorder recorder = new Recorder(file);
                OpenLoop loop = new OpenLoop(() -> List.of(targets), new Workload(3), recorder, patience)) {
            loop.run(RATE, LENGTH);
        }
        return HistoryFile.read(file).operations();
    }

    @Test
    void nodeThatIsSilentDoesNotKeepOperationsFromBeginning() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FakeNode node = new FakeNode(_ -> await(never))) {
            List<Operation> operations = operations(Duration.ofMillis(300), node.target("n1"));
            never.countDown();

            // Each was begun, and tried once more.
            assertThat(operations)
                    .hasSize(2 * COUNT)
                    .noneMatch(operation -> operation.answer().isOk());
        }
    }

    @Test
    void whatIsNotAnsweredIsTriedOnceMoreThroughAnotherNodeAsAnOperationOfItsOwn() throws Exception {
        try (FakeNode bad = FakeNode.answering(504, VERSION, "{}");
                FakeNode good = FakeNode.answering(404, VERSION, "{}")) {
            List<Operation> operations = operations(LONG, bad.target("bad"), good.target("good"));

            long failed = operations.stream()
                    .filter(operation -> operation.node().equals("bad"))
                    .count();
            assertThat(operations).hasSize(COUNT + (int) failed);
            assertThat(failed).isBetween(COUNT / 4L, COUNT * 3L / 4);
            assertThat(operations.stream().map(Operation::value).filter(value -> value != null))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void clientHasOneOperationAtATime() throws Exception {
        try (FakeNode node = FakeNode.answering(404, VERSION, "{}")) {
            List<Operation> operations = operations(LONG, node.target("n1"));

            var byClient = operations.stream()
                    .sorted(Comparator.comparingLong(Operation::invoked))
                    .collect(Collectors.groupingBy(Operation::client));
            assertThat(byClient.values()).allSatisfy(ofOne -> {
                for (int i = 1; i < ofOne.size(); i++) {
                    assertThat(ofOne.get(i).invoked())
                            .isGreaterThanOrEqualTo(ofOne.get(i - 1).returned());
                }
            });
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
