package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Checkout;
import dev.kvorum.node.cluster.ReadmeSession;
import dev.kvorum.node.cluster.ReadmeSession.Step;
import dev.kvorum.node.cluster.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shell lines of README.md do what it says. Those of Kubernetes are in the tests of the charts. */
@Timeout(600)
@Tag("check")
class ReadmeIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern VERSION = Pattern.compile("\\b[0-9a-f]{32}\\b");
    private static final Pattern PORT = Pattern.compile("(?<=localhost:)80(8\\d)");

    @TempDir
    Path directory;

    /** One cluster for all of it, as it takes a while to start. */
    @Test
    void sessionIsAsTheReadmeShowsItAndInterruptEndsTheClusterThoughOneNodeIsFrozen() throws IOException {
        try (Checkout checkout = new Checkout(directory).with("READY_SECONDS", "240");
                Terminal terminal = checkout.terminal(checkout.make("run PORT=" + checkout.port()))) {
            terminal.await("nodes are ready");

            for (Step step : ReadmeSession.read().steps()) {
                assertPrints(checkout, step);
            }
            eventually("n3 has started again", () -> answers(checkout, 2));
            assertThat(checkout.run("make add-node NODE=4")).contains("done");
            assertThat(checkout.run("make remove-node NODE=1")).contains("n1 is no member any more");

            assertThatStartNodeTellsOfARefusal(checkout);
            freezeOne(checkout);
            terminal.interrupt();
            assertThat(terminal.exitCode()).isEqualTo(130);
            eventually("no process is left", () -> terminal.processes().isEmpty());
        }
    }

    private static void assertPrints(Checkout checkout, Step step) throws IOException {
        String printed = checkout.run(ported(step.command(), checkout).replace("curl -i", "curl -s -i"));
        List<String> lines = withoutVersions(printed).lines().map(String::strip).toList();
        String[] parts = withoutVersions(String.join("\n", step.output())).split("\n\n", 2);

        assertThat(lines)
                .as(step.command())
                .containsSubsequence(parts[0].lines().toList());
        if (parts.length == 2) {
            assertBody(step.command(), lines.getLast(), parts[1]);
        }
    }

    private static void assertBody(String command, String printed, String shown) {
        if (shown.startsWith("{")) {
            assertShows(command, JSON.readTree(printed), JSON.readTree(shown));
        } else {
            assertThat(printed).as(command).isEqualTo(shown);
        }
    }

    /** Three dots of the README stand for any text, and how many replicas had confirmed depends on which failed first. */
    private static void assertShows(String command, JsonNode printed, JsonNode shown) {
        if (shown.isContainer()) {
            assertThat(printed.size()).as("%s: %s", command, printed).isEqualTo(shown.size());
            shown.forEachEntry((name, value) -> {
                if (!name.equals("acks")) {
                    assertShows(command, printed.path(name), value);
                }
            });
            IntStream.range(0, shown.isArray() ? shown.size() : 0)
                    .forEach(i -> assertShows(command, printed.path(i), shown.path(i)));
        } else if (!shown.asString().equals("...")) {
            assertThat(printed).as(command).isEqualTo(shown);
        }
    }

    private static String withoutVersions(String text) {
        return VERSION.matcher(text).replaceAll("VERSION");
    }

    private static String ported(String command, Checkout checkout) {
        return PORT.matcher(command)
                .replaceAll(match -> Integer.toString(checkout.port() + Integer.parseInt(match.group(1)) - 81));
    }

    private static boolean answers(Checkout checkout, int node) {
        try {
            String url = "http://localhost:" + (checkout.port() + node) + "/v0/entity?id=cart-7&ack=3&from=3";
            return checkout.run("curl -s -i '" + url + "'").startsWith("HTTP/1.1 404");
        } catch (IOException _) {
            return false;
        }
    }

    /** In the terminal where it was asked for, not only in that of the cluster. */
    private static void assertThatStartNodeTellsOfARefusal(Checkout checkout) throws IOException {
        String data = ".run/cluster-3/";
        checkout.run("make kill-node NODE=3");
        checkout.run("mv " + data + "n3 " + data + "kept && mkdir " + data + "n3 && cp " + data
                + "n2/kvorum.properties " + data + "n3");

        assertThat(checkout.run("make start-node NODE=3 2>&1 || echo refused"))
                .containsOnlyOnce("This node can't start: ")
                .contains("belongs to member \"n2\"", "refused");

        checkout.run("rm -r " + data + "n3 && mv " + data + "kept " + data + "n3");
        assertThat(checkout.run("make start-node NODE=3")).contains("n3 is ready.");
    }

    private static void freezeOne(Checkout checkout) throws IOException {
        long node = checkout.nodes().getLast().pid();
        assertThat(checkout.run("kill -STOP " + node + " && echo frozen")).contains("frozen");
    }

    /** {@code make test} runs this test, so it can't be run here; nor can what needs Docker. */
    @Test
    void everyOtherCommandIsATargetOfTheMakefile() throws IOException {
        try (Checkout checkout = new Checkout(directory)) {
            List<String> makes = ReadmeSession.commands().stream()
                    .filter(command -> command.startsWith("make "))
                    .collect(Collectors.toList());
            makes.addAll(ReadmeSession.inlineMakes());

            assertThat(makes).contains("make run", "make test", "make add-node NODE=4", "make remove-node NODE=1");
            for (String command : makes) {
                assertThat(checkout.run(command + " --dry-run >/dev/null && echo known"))
                        .as(command)
                        .contains("known");
            }
        }
    }

    @Test
    void everyBlockIsOfCommandsOrASession() throws IOException {
        assertThat(ReadmeSession.languages()).isNotEmpty().isSubsetOf("sh", "console");
    }
}
