package dev.kvorum.node.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Loss;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    private final ManualNodes nodes = new ManualNodes(3, "n1", "n2", "n3", "n4");
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

    @AfterEach
    void end() {
        nodes.close();
    }

    private int command(String name, String... options) {
        String[] words = Stream.concat(Stream.of(name, nodes.node()), Arrays.stream(options))
                .toArray(String[]::new);
        return Commands.run(
                words,
                new PrintStream(said, true, UTF_8),
                new PrintStream(complained, true, UTF_8),
                Duration.ofMillis(5));
    }

    private String complaint() {
        return complained.toString(UTF_8);
    }

    private Topology begun() {
        ChangeRequest request = new ChangeRequest(List.of(nodes.member("n4")), Set.of(), Set.of());
        return ChangeTopologies.begin(nodes.topology(), request);
    }

    @Test
    void changeIsCarriedOutToItsEnd() {
        assertThat(command("start", nodes.add("n4"))).isZero();

        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(nodes.topology().isChanging()).isFalse();
        assertThat(said.toString(UTF_8)).contains("the members are n1, n2, n3, n4.");
    }

    @Test
    void startThatAnotherHasTakenBackSaysSoAndFails() {
        nodes.beforeSettled(epoch -> nodes.bringTo(ChangeTopologies.cancelled(nodes.topology())));

        assertThat(command("start", nodes.add("n4"))).isEqualTo(1);

        assertThat(complaint())
                .contains("Somebody has taken the change back: the members are n1, n2, n3, not n1, n2, n3, n4.");
        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void removalThatAnotherHasTakenBackFailsSoThatNobodyStopsTheMember() {
        nodes.bringTo(new Topology(
                "demo",
                2,
                3,
                ManualNodes.PARTITIONS,
                nodes.ids().stream().map(nodes::member).toList()));
        nodes.beforeSettled(epoch -> nodes.bringTo(ChangeTopologies.cancelled(nodes.topology())));

        assertThat(command("start", "--remove=n2")).isEqualTo(1);

        assertThat(nodes.topology().member("n2").orElseThrow().state()).isEqualTo(MemberState.ACTIVE);
    }

    @Test
    void resumeLeavesAChangeToWhoeverTakesItBackAfterTheSwitch() {
        nodes.bringTo(ChangeTopologies.switched(begunForAll()));
        nodes.beforePublished(finished -> nodes.bringTo(ChangeTopologies.switchedBack(nodes.topology())));

        assertThat(command("resume")).isEqualTo(1);

        assertThat(complaint()).contains("Somebody takes the change back");
        assertThat(nodes.topology().reads()).isEqualTo(Reads.BACK);
    }

    @Test
    void resumeTellsThoseThatMoveDataOfAMemberThatIsGoneSince() {
        nodes.bringTo(begun());
        nodes.settle();
        nodes.node("n3").stop();

        assertThat(command("resume", "--gone=n3")).isZero();

        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(nodes.topology().isChanging()).isFalse();
    }

    @Test
    void resumeRefusesOneThatIsSaidToBeGoneAndIsNoMember() {
        nodes.bringTo(begun());

        assertThat(command("resume", "--gone=n9")).isEqualTo(1);

        assertThat(complaint())
                .contains("\"n9\" is said to be gone, but is no member; the members are n1, n2, n3, n4.");
        assertThat(nodes.topology().epoch()).isEqualTo(2);
    }

    private Topology begunForAll() {
        nodes.bringTo(begun());
        return nodes.topology();
    }

    @Test
    void cancelThatCameTooLateSaysSoAndFails() {
        nodes.bringTo(ChangeTopologies.switched(begunForAll()));
        nodes.beforePublished(back -> nodes.bringTo(ChangeTopologies.finished(nodes.topology())));

        assertThat(command("cancel")).isEqualTo(1);

        assertThat(complaint())
                .contains(
                        "was finished and can't be taken back any more: the members are n1, n2, n3, n4, not n1, n2, n3.");
    }

    @Test
    void changeIsTakenBackFromBothPhases() {
        nodes.bringTo(begun());
        assertThat(command("cancel")).isZero();
        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3");

        nodes.bringTo(ChangeTopologies.switched(begunForAll()));
        assertThat(command("cancel")).isZero();
        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3");
        assertThat(nodes.topology().isChanging()).isFalse();
    }

    @Test
    void changeThatAnotherFollowsAtOnceIsDoneAllTheSame() {
        nodes.beforePublished(next -> {
            if (!next.isChanging()) {
                ChangeRequest further = new ChangeRequest(List.of(), Set.of("n1"), Set.of());
                nodes.bringTo(next);
                nodes.bringTo(ChangeTopologies.begin(next, further));
            }
        });

        assertThat(command("start", nodes.add("n4"))).isZero();
    }

    @Test
    void memberThatHasMissedEpochsIsBroughtUpToTheChange() {
        Topology recorded = new Topology(
                "demo", 9, 3, ManualNodes.PARTITIONS, nodes.topology().members());
        for (String id : List.of("n2", "n3")) {
            nodes.node(id).membership().offer(recorded);
        }
        nodes.node("n1").membership().offer(recorded);

        assertThat(command("start", nodes.add("n4"))).isZero();

        assertThat(nodes.node("n4").membership().view().epoch()).isEqualTo(12);
    }

    @Test
    void firstMemberThatMissedEpochsIsBroughtUpBeforeTheNextIsPublishedToIt() {
        Topology switched = ChangeTopologies.switched(begun());
        for (String id : List.of("n2", "n3", "n4")) {
            nodes.node(id).membership().offer(switched);
        }

        assertThat(command("cancel")).isZero();

        assertThat(nodes.memberIds()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void formerMemberThatDoesNotAnswerHasNotDroppedEverything() {
        nodes.bringTo(new Topology(
                "demo",
                2,
                3,
                ManualNodes.PARTITIONS,
                nodes.ids().stream().map(nodes::member).toList()));
        nodes.beforePublished(next -> {
            if (!next.isChanging()) {
                nodes.node("n2").stop();
            }
        });

        assertThat(command("start", "--remove=n2")).isZero();

        assertThat(said.toString(UTF_8))
                .contains("Not known is what is left at those that do not answer: n2.")
                .doesNotContain("is dropped where it was: done");
    }

    @Test
    void sizesThatSomebodyDoesNotTellAreNotTakenForNothing() {
        nodes.node("n2").knowsSizes = false;

        assertThat(command("plan", nodes.add("n4"))).isEqualTo(1);

        assertThat(complaint()).contains("how much member \"n2\"").contains("is not known");
    }

    @Test
    void statusSaysWhatCanNotBeWrittenAndBecauseOfWhom() {
        nodes.node("n2").stop();
        nodes.node("n3").stop();

        assertThat(command("status")).isZero();

        assertThat(said.toString(UTF_8))
                .contains("no majority of the owners of 16 partitions answers")
                .contains("because of n2, n3");
    }

    @Test
    void statusSaysWhyAMemberHasNoReportAndWhatADiskLacks() {
        nodes.node("n2").stop();
        nodes.node("n3").life = new Life(7, new Loss(Extent.LATEST, 1_800_000_000_000L, 5, "the power was cut"));

        assertThat(command("status")).isZero();

        assertThat(said.toString(UTF_8))
                .contains("does not answer at http://n2:9090: as the test says")
                .contains("it lacks the latest writes before 2027-01-15T08:00:00Z, as the power was cut");
    }

    @Test
    void refusalSaysWhyAMemberCanNotBeAsked() {
        nodes.node("n2").stop();

        assertThat(command("start", nodes.add("n4"))).isEqualTo(1);

        assertThat(complaint()).contains("Refused").contains("  n2: as the test says");
    }

    /** A terminal would obey them, and a line that another process has made up would look like one of the command. */
    @Test
    void controlCharactersInTheWordsOfOthersAreEscaped() {
        String forged = "gone\u001b[2J\rEpoch 9, 1 members\n";
        nodes.node("n2").stop(forged);
        nodes.node("n3").life = new Life(7, new Loss(Extent.LATEST, 1_800_000_000_000L, 5, forged));

        assertThat(command("status")).isZero();
        assertThat(command("start", nodes.add("n4"))).isEqualTo(1);

        String escaped = "gone\\u001b[2J\\rEpoch 9, 1 members\\n";
        assertThat(said.toString(UTF_8))
                .contains("http://n2:9090: " + escaped, ", as " + escaped)
                .doesNotContain("\u001b", "\r");
        assertThat(complaint()).contains("  n2: " + escaped).doesNotContain("\u001b", "\r");
    }

    @Test
    void controlCharactersInTheRefusalOfANodeAreEscaped() {
        AtomicBoolean before = new AtomicBoolean(true);
        nodes.beforePublished(next -> {
            if (before.getAndSet(false)) {
                nodes.bringTo(begun());
            }
        });

        assertThat(command("start", nodes.add("n4"))).isEqualTo(1);

        assertThat(complaint()).contains("refused \\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void whatIsRefusedOrNotUnderstoodChangesNothing() {
        assertThat(command("start", "--remove=n9")).isEqualTo(1);
        assertThat(complaint()).contains("the members are n1, n2, n3");
        assertThat(command("cancel")).isEqualTo(1);
        assertThat(command("resume")).isEqualTo(1);
        assertThat(command("frobnicate")).isEqualTo(2);
        assertThat(command("start", "--remove")).isEqualTo(2);
        assertThat(command("plan", nodes.add("n4"))).isZero();

        assertThat(nodes.topology().epoch()).isEqualTo(1);
    }

    private int words(String... words) {
        return Commands.run(words, new PrintStream(said, true, UTF_8), new PrintStream(complained, true, UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            statsu                                     | Did you mean: kvorum-node status
            status --nod=http://10.0.0.7:8081          | Possible solutions: --node
            status --node=http://10.0.0.7:8081 --add=x | Unknown option: '--add=x'
            status                                     | Missing required option: '--node=URL'
            status --node                              | Missing required parameter for option '--node' (URL)
            status --node=10.0.0.7:8081                | "10.0.0.7:8081" is not an address
            status --node=https://10.0.0.7:8081        | "https://10.0.0.7:8081" is not an address like http://10.0.0.7:8081
            status --node=http://10.0.0.7              | "http://10.0.0.7" is not an address like http://10.0.0.7:8081
            plan --node=http://10.0.0.7:8081 --add=n4  | "n4" is not understood; like --add=id=n4,api=http
            plan --node=http://10.0.0.7:8081 --add=id=n4,api=http://10.0.0.7:8080 | peer is missing in "id=n4,api
            plan --node=http://10.0.0.7:8081 --add=id=n4,api=x,peer=y,weight=much | "id=n4,api=x,peer=y,weight=much" is no member
            lower-epoch --data-dir=/tmp                | Missing required option: '--epoch=N'
            lower-epoch --data-dir=/tmp --epoch=0      | 0 is no epoch: one is from 1 to 9007199254740992
            lower-epoch --data-dir=/tmp --epoch=x      | "x" is no whole number
            """)
    void wrongUsageNamesWhatIsWrongAndWhatIsRight(String command, String complaint) {
        assertThat(words(command.split(" "))).isEqualTo(2);

        assertThat(complaint()).contains(complaint);
        assertThat(said.toString(UTF_8)).isEmpty();
    }

    @Test
    void refusalToRepairADirectoryIsNoWrongUsage() {
        assertThat(words("lower-epoch", "--data-dir=/nowhere", "--epoch=2")).isEqualTo(1);

        assertThat(complaint()).contains("/nowhere is no data directory that can be repaired");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "start", "resume", "cancel", "status", "record", "lower-epoch", "restamp"})
    void everyCommandHasAHelpWithAnExampleAndTheExitCodes(String command) {
        assertThat(words(command, "--help")).isZero();

        assertThat(said.toString(UTF_8))
                .startsWith("Usage: kvorum-node " + command)
                .contains("java -jar kvorum-node.jar " + command + " --")
                .contains("Exit codes:")
                .contains("2   Wrong usage");
        said.reset();
        assertThat(words("--help")).isZero();
        assertThat(said.toString(UTF_8)).contains("\n  " + command + " ");
        assertThat(complaint()).isEmpty();
    }

    @Test
    void nextNodeIsAskedWhereOneDoesNotAnswer() {
        assertThat(Commands.run(
                        new String[] {"status", "--node=http://127.0.0.1:1", nodes.node()},
                        new PrintStream(said, true, UTF_8),
                        new PrintStream(complained, true, UTF_8)))
                .isZero();
    }
}
