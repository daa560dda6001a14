package dev.kvorum.node.storage.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Histories by hand: each good one has a bad one beside it. */
class StoreVerdictTest {
    private static final String OLD = "00000000000000010000000000000001.aaaaaaaa";
    private static final String NEW = "00000000000000020000000000000002.bbbbbbbb";
    private static final String OPEN = "open 9 9 false false";

    private static List<String> judged(String mode, String end, String first, String opened, String second) {
        List<String> lines = Stream.of(
                        "life " + mode + " kept\n" + OPEN + "\nready",
                        first,
                        "end " + end,
                        "life " + mode + " kept",
                        opened,
                        second,
                        "ready\nend CLOSED")
                .flatMap(part -> Arrays.stream(part.split("\n")))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return StoreVerdict.wrong(StoreHistory.of(lines));
    }

    private static List<String> judged(String lines) {
        return judged("ASYNC", "CLOSED", lines, OPEN, "");
    }

    private static String write(int id, String key, String cell) {
        return "i " + id + " write 0/" + key + " " + cell + "\no " + id + "\n";
    }

    private static String read(int id, String key, String cell) {
        return "i " + id + " read 0/" + key + "\no " + id + " " + cell + "\n";
    }

    private static String look(int id, String key, String row, String cell) {
        return "i " + id + " look 0/" + key + "\no " + id + " " + row + " " + cell + "\n";
    }

    private static String step(int id, String key, String change, String seen) {
        return "i " + id + " step 0/" + key + " " + change + "\no " + id + " " + seen + "\n";
    }

    @Test
    void newestWinsWhateverTheOrder() {
        assertThat(judged(write(1, "k", NEW) + write(2, "k", OLD) + read(3, "k", NEW)))
                .isEmpty();
        assertThat(judged(write(1, "k", NEW) + write(2, "k", OLD) + read(3, "k", OLD)))
                .isNotEmpty();
    }

    @Test
    void whatNobodyWroteIsNotRead() {
        assertThat(judged(write(1, "k", NEW) + read(2, "k", NEW.replace('b', 'c'))))
                .isNotEmpty();
        assertThat(judged(read(1, "k", "-") + write(2, "k", NEW) + read(3, "k", "-")))
                .isNotEmpty();
    }

    @Test
    void readsOfAWriteUnderWayDoNotGoBack() {
        String underWay = "i 1 write 0/k " + NEW + "\n";
        assertThat(judged(underWay + read(2, "k", "-") + read(3, "k", NEW) + "o 1\n"))
                .isEmpty();
        assertThat(judged(underWay + read(2, "k", NEW) + read(3, "k", "-") + "o 1\n"))
                .isNotEmpty();
    }

    @Test
    void scanSeesEachKey() {
        String writes = write(1, "k", OLD) + write(2, "l", NEW);
        assertThat(judged(writes + "i 3 scan 0\no 3 0/k=" + OLD + " 0/l=" + NEW))
                .isEmpty();
        assertThat(judged(writes + "i 3 scan 0\no 3 0/k=" + OLD)).isNotEmpty();
    }

    @Test
    void removalTakesTheCellItNamesAndNoOther() {
        assertThat(judged(write(1, "k", OLD) + "i 2 remove 0/k " + OLD + "\no 2 true\n" + read(3, "k", "-")))
                .isEmpty();
        assertThat(judged(write(1, "k", NEW) + "i 2 remove 0/k " + OLD + "\no 2 true\n" + read(3, "k", "-")))
                .isNotEmpty();
    }

    @Test
    void dropTakesNothingThatWasWrittenWhileItWasWatched() {
        String watch = "i 1 watch 0\no 1\n";
        String drop = "i 3 drop 0 1\no 3 ";
        assertThat(judged(write(2, "k", OLD) + watch + drop + "true\n" + read(4, "k", "-")))
                .isEmpty();
        assertThat(judged(watch + write(2, "k", OLD) + drop + "false\n" + read(4, "k", OLD)))
                .isEmpty();
        assertThat(judged(watch + write(2, "k", OLD) + drop + "true\n" + read(4, "k", "-")))
                .isNotEmpty();
        assertThat(judged(write(2, "k", OLD) + watch + drop + "false\n" + read(4, "k", OLD)))
                .isNotEmpty();
    }

    @Test
    void stepsComeOneAfterTheOther() {
        assertThat(judged(step(1, "k", "a =", "- -") + step(2, "k", "b =", "a -")))
                .isEmpty();
        assertThat(judged(step(1, "k", "a =", "- -") + step(2, "k", "b =", "- -")))
                .isNotEmpty();
    }

    @Test
    void plainWriteMayComeBetweenTheLookAndTheChangeOfAStep() {
        String step = "i 1 step 0/k a " + NEW + "\n";
        String between = write(2, "k", OLD) + read(3, "k", OLD);
        assertThat(judged(step + between + "o 1 - -\n" + read(4, "k", NEW))).isEmpty();
        assertThat(judged(between + step + "o 1 - -\n" + read(4, "k", NEW))).isNotEmpty();
    }

    @Test
    void killTakesNothing() {
        assertThat(judged("ASYNC", "KILLED", write(1, "k", OLD), OPEN, read(2, "k", OLD) + look(3, "k", "-", OLD)))
                .isEmpty();
        assertThat(judged("ASYNC", "KILLED", write(1, "k", OLD), OPEN, read(2, "k", "-")))
                .isNotEmpty();
    }

    @Test
    void powerCutTakesOnlyWhatWasNotPromised() {
        String cutOff = "open 9 9 true true";
        assertThat(judged("ASYNC", "POWER", write(1, "k", OLD), cutOff, look(2, "k", "-", "-")))
                .isEmpty();
        assertThat(judged("FSYNC", "POWER", write(1, "k", OLD), OPEN, look(2, "k", "-", "-")))
                .isNotEmpty();
        assertThat(judged("ASYNC", "POWER", step(1, "k", "a =", "- -"), cutOff, look(2, "k", "-", "-")))
                .isNotEmpty();
        String seen = write(1, "k", OLD) + step(2, "k", "= =", "- " + OLD);
        assertThat(judged("ASYNC", "POWER", seen, cutOff, look(3, "k", "-", OLD)))
                .isEmpty();
        assertThat(judged("ASYNC", "POWER", seen, cutOff, look(3, "k", "-", "-")))
                .isNotEmpty();
    }

    @Test
    void whatWasReadIsThereWhereReadsAreOfSyncedCells() {
        String underWay = "i 1 write 0/k " + OLD + "\n";
        assertThat(judged("FSYNC", "POWER", underWay + read(2, "k", OLD), OPEN, look(3, "k", "-", OLD)))
                .isEmpty();
        assertThat(judged("FSYNC", "POWER", underWay + read(2, "k", OLD), OPEN, look(3, "k", "-", "-")))
                .isNotEmpty();
        assertThat(judged("FSYNC", "POWER", underWay, OPEN, look(3, "k", "-", "-")))
                .isEmpty();
    }

    @Test
    void nothingIsThereThatCameAfterWhatIsGone() {
        String writes = write(1, "k", OLD) + write(2, "l", NEW);
        String cutOff = "open 9 9 true true";
        assertThat(judged("ASYNC", "POWER", writes, cutOff, look(3, "k", "-", OLD) + look(4, "l", "-", "-")))
                .isEmpty();
        assertThat(judged("ASYNC", "POWER", writes, cutOff, look(3, "k", "-", "-") + look(4, "l", "-", NEW)))
                .isNotEmpty();
    }

    @Test
    void stepIsThereAsAWholeOrNot() {
        String underWay = "i 1 step 0/k a " + OLD + "\n";
        assertThat(judged("ASYNC", "KILLED", underWay, OPEN, look(2, "k", "a", OLD)))
                .isEmpty();
        assertThat(judged("ASYNC", "KILLED", underWay, OPEN, look(2, "k", "-", "-")))
                .isEmpty();
        assertThat(judged("ASYNC", "KILLED", underWay, OPEN, look(2, "k", "a", "-")))
                .isNotEmpty();
        assertThat(judged("ASYNC", "KILLED", underWay, OPEN, look(2, "k", "-", OLD)))
                .isNotEmpty();
    }

    @Test
    void rotIsAnErrorOrIsSaid() {
        String write = write(1, "k", OLD);
        assertThat(judged("FSYNC", "ROT", write, "refused it", "")).isEmpty();
        assertThat(judged("FSYNC", "KILLED", write, "refused it", "")).isNotEmpty();
        assertThat(judged("FSYNC", "ROT", write, OPEN, "i 2 read 0/k\ne 2 damaged\n" + read(3, "k", "-")))
                .isEmpty();
        assertThat(judged("FSYNC", "ROT", write, OPEN, read(2, "k", "-"))).isNotEmpty();
        assertThat(judged("FSYNC", "ROT", write, OPEN, read(2, "k", OLD.replace('a', 'c'))))
                .isNotEmpty();
        assertThat(judged("FSYNC", "KILLED", write, OPEN, "i 2 read 0/k\ne 2 damaged\n"))
                .isNotEmpty();
    }

    @Test
    void whatWasSetAsideIsNotThere() {
        String history = "life FSYNC kept\n" + OPEN + "\nready\n" + write(1, "k", OLD)
                + "end ROT\nlife FSYNC kept\nrefused it\nend KILLED\nlife FSYNC fresh\nopen 0 0 false false\n";
        assertThat(StoreVerdict.wrong(StoreHistory.of((history + read(2, "k", "-") + "ready\nend CLOSED")
                        .lines()
                        .toList())))
                .isEmpty();
        assertThat(StoreVerdict.wrong(StoreHistory.of((history + read(2, "k", OLD) + "ready\nend CLOSED")
                        .lines()
                        .toList())))
                .isNotEmpty();
    }

    @Test
    void hintsAreThereInOrderUntilTheyAreRemoved() {
        String puts = "i 1 put n2 " + NEW + "\no 1 0\ni 2 put n2 " + OLD + "\no 2 0\n";
        String both = "0 0:" + NEW + " 1:" + OLD;
        assertThat(judged(puts + "i 3 page n2\no 3 " + both)).isEmpty();
        assertThat(judged(puts + "i 3 page n2\no 3 0 0:" + OLD + " 1:" + NEW)).isNotEmpty();
        assertThat(judged(puts + "i 3 page n2\no 3 0 0:" + NEW)).isNotEmpty();
        assertThat(judged(puts + "i 4 unhint n2 " + OLD + "\no 4\ni 3 page n2\no 3 0 0:" + NEW))
                .isEmpty();
        assertThat(judged(puts + "i 4 unhint n2 " + OLD + "\no 4\ni 3 page n2\no 3 " + both))
                .isNotEmpty();
        assertThat(judged("ASYNC", "KILLED", puts, OPEN, "i 3 page n2\no 3 " + both + "\nowed n2 2"))
                .isEmpty();
        assertThat(judged("ASYNC", "KILLED", puts, OPEN, "i 3 page n2\no 3 " + both + "\nowed n2 1"))
                .isNotEmpty();
        assertThat(judged("ASYNC", "KILLED", puts, OPEN, "i 3 page n2\no 3 0 0:" + NEW))
                .isNotEmpty();
    }

    /** Two whole lives, between which another is killed or cut off while it opens what the first has left. */
    private static List<String> judgedWithAnOpening(
            String mode, String ends, String first, String opened, String third) {
        String[] end = ends.split(" ", -1);
        String history = "life " + mode + " kept\n" + OPEN + "\nready\n" + first + "end " + end[0] + "\nlife " + mode
                + " kept\nend " + end[1] + "\nlife " + mode + " kept\n" + opened + "\n" + third + "ready\nend CLOSED";
        return StoreVerdict.wrong(StoreHistory.of(history.lines().toList()));
    }

    @Test
    void powerCutWhileAStoreIsOpenedTakesWhatWasNotPromisedBefore() {
        String write = write(1, "k", OLD);
        String cutOff = "open 9 9 true true";
        String gone = look(2, "k", "-", "-");
        assertThat(judgedWithAnOpening("ASYNC", "KILLED POWER", write, cutOff, gone))
                .isEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "KILLED KILLED", write, OPEN, gone))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "CLOSED POWER", write, OPEN, gone))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("FSYNC", "KILLED POWER", write, OPEN, gone))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("FSYNC", "POWER POWER", write, OPEN, gone))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("FSYNC", "POWER POWER", write, OPEN, look(2, "k", "-", OLD)))
                .isEmpty();
    }

    @Test
    void lifeThatHasOpenedAStoreHasBroughtItToTheDisk() {
        String history = "life ASYNC kept\n" + OPEN + "\nready\n" + write(1, "k", OLD) + "end KILLED\nlife ASYNC kept\n"
                + OPEN + "\nend POWER\nlife ASYNC kept\nopen 9 9 true true\n";
        assertThat(StoreVerdict.wrong(StoreHistory.of((history + look(2, "k", "-", OLD) + "ready\nend CLOSED")
                        .lines()
                        .toList())))
                .isEmpty();
        assertThat(StoreVerdict.wrong(StoreHistory.of((history + look(2, "k", "-", "-") + "ready\nend CLOSED")
                        .lines()
                        .toList())))
                .isNotEmpty();
    }

    @Test
    void nothingIsThereThatCameAfterWhatIsGoneThoughAnOpeningWasKilledMeanwhile() {
        String writes = write(1, "k", OLD) + write(2, "l", NEW);
        String cutOff = "open 9 9 true true";
        assertThat(judgedWithAnOpening(
                        "ASYNC", "POWER KILLED", writes, cutOff, look(3, "k", "-", OLD) + look(4, "l", "-", "-")))
                .isEmpty();
        assertThat(judgedWithAnOpening(
                        "ASYNC", "POWER KILLED", writes, cutOff, look(3, "k", "-", "-") + look(4, "l", "-", NEW)))
                .isNotEmpty();
    }

    @Test
    void whatMayBeMissingIsNotedBeforeAnOpeningIsKilled() {
        assertThat(judgedWithAnOpening("ASYNC", "POWER KILLED", "", "open 9 9 true true", ""))
                .isEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "POWER KILLED", "", "open 9 9 false true", ""))
                .isEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "POWER KILLED", "", "open 9 9 false false", ""))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "KILLED KILLED", "", "open 9 9 false true", ""))
                .isNotEmpty();
        assertThat(judgedWithAnOpening("FSYNC", "POWER KILLED", "", "open 9 9 true true", ""))
                .isNotEmpty();
    }

    @Test
    void changesAreNotFewerThanBeforeAnOpeningWasKilled() {
        assertThat(judgedWithAnOpening("ASYNC", "KILLED KILLED", "changes 12\n", "open 12 9 false false", ""))
                .isEmpty();
        assertThat(judgedWithAnOpening("ASYNC", "KILLED KILLED", "changes 12\n", "open 11 9 false false", ""))
                .isNotEmpty();
    }

    @Test
    void troubleIsExcusedByRotAloneAndNotWhereTheStoreWasSetAside() {
        String rotten = "life FSYNC kept\n" + OPEN + "\nready\nend ROT\n";
        String setAside = "life FSYNC kept\nrefused it\nend KILLED\nlife FSYNC fresh\nopen 0 0 false false\nready\n";
        assertThat(StoreVerdict.wrong(StoreHistory.of((rotten + "life FSYNC kept\n" + OPEN + "\nends it\nend KILLED")
                        .lines()
                        .toList())))
                .isEmpty();
        assertThat(StoreVerdict.wrong(StoreHistory.of(
                        (rotten + setAside + "end CLOSED").lines().toList())))
                .isEmpty();
        assertThat(StoreVerdict.wrong(StoreHistory.of(
                        (rotten + setAside + "ends it\nend CLOSED").lines().toList())))
                .isNotEmpty();
        assertThat(StoreVerdict.wrong(
                        StoreHistory.of((rotten + setAside.replace("open 0 0 false false", "refused it") + "end CLOSED")
                                .lines()
                                .toList())))
                .isNotEmpty();
    }

    @Test
    void beginningsSayWhatTheyFound() {
        String write = write(1, "k", NEW);
        assertThat(judged("ASYNC", "KILLED", write + "changes 12\n", "open 11 9 false false", look(2, "k", "-", NEW)))
                .isNotEmpty();
        assertThat(judged("ASYNC", "KILLED", write, "open 9 1 false false", look(2, "k", "-", NEW)))
                .isNotEmpty();
        assertThat(judged("ASYNC", "KILLED", write, "open 9 9 true true", look(2, "k", "-", NEW)))
                .isNotEmpty();
        assertThat(judged("ASYNC", "POWER", write, "open 9 9 false false", look(2, "k", "-", NEW)))
                .isNotEmpty();
    }
}
