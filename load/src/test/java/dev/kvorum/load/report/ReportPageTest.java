package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.Scenario;
import dev.kvorum.load.scenario.ScenarioFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page as one who opens it sees it: its script is run. */
class ReportPageTest {
    private static final Scenario SCENARIO = ScenarioFile.parse("test", """
            title: Is </script> & "c" shown?
            why: Because
            rounds: 2
            load: {mix: {GET: 1}, rate: 1}
            variants: [{name: calm}, {name: hit, fault: {dead: {node: 3, at: 2s}}}]
            expect: [errors of all <= 0, p99 of hit < 1]
            """);
    private static final List<RoundResult> ROUNDS =
            List.of(TwoMinutes.of("calm", 1, 0), hit(1), TwoMinutes.of("calm", 2, 0), hit(2));

    /** With all that a round can have: a fault, a search, and a problem. */
    private static RoundResult hit(int number) {
        RoundResult round = TwoMinutes.of("hit", number, 3);
        return new RoundResult(
                round.variant(),
                round.round(),
                round.startMillis(),
                round.legs(),
                round.counted(),
                round.figures(),
                round.samples(),
                Optional.of(2_000L),
                List.of(new RoundResult.Try(4_000, true, 7, 0)),
                List.of("the generator was late"));
    }

    private static ObjectNode summary() {
        return SummaryJson.of(SCENARIO, ROUNDS, Conclusion.of(SCENARIO, ROUNDS, List.of()), TwoMinutes.note("run"));
    }

    @Test
    void pageHoldsItsDataStyleAndScriptAndNothingEndsThemEarly() throws IOException {
        String page = ReportPage.of(List.of(summary()));

        assertThat(page)
                .contains("<title>Is &lt;/script> &amp; \"c\" shown?</title>")
                .doesNotContain("${data}", "src=", "@import");
        assertThat(page.split("</script>", -1)).hasSize(3);
    }

    @Test
    void figuresCurvesAndProblemsOfEachVariantAreShown() throws IOException {
        try (Browser browser = Browser.open(ReportPage.of(List.of(summary())))) {
            assertThat(browser.title()).isEqualTo("Is </script> & \"c\" shown?");
            assertThat(browser.texts("h1")).containsExactly("Is </script> & \"c\" shown?");
            assertThat(browser.texts("tr"))
                    .contains("failp99 of hit < 1201ms")
                    .anyMatch(row -> row.startsWith("hit1120") && row.endsWith("the generator was late"))
                    .contains("hit14,00070pass");
            assertThat(browser.texts("h3")).contains("Latency, ms", "p99, ms", "Nodes, \u00b5s per request", "Threads");
            assertThat(browser.texts("summary")).contains("The scenario as written");
            assertThat(browser.attributes("path")).anyMatch(line -> line.startsWith("d=M"));
            assertThat(browser.attributes("line")).contains("class=mark");
        }
    }

    @Test
    void nothingIsSaidOrDrawnByWhatIsNoNumber() throws IOException {
        for (List<ObjectNode> runs : List.of(List.of(summary()), List.of(summary(), summary()))) {
            try (Browser browser = Browser.open(ReportPage.of(runs))) {
                assertThatAllIsNumbers(browser);
                browser.choose(2);
                browser.pointAt("p99, ms", 700);
                assertThatAllIsNumbers(browser);
            }
        }
    }

    private static void assertThatAllIsNumbers(Browser browser) {
        for (String shape : List.of("path", "line", "rect", "circle", "text", "svg")) {
            assertThat(browser.attributes(shape)).isNotEmpty().noneMatch(ReportPageTest::isNoNumber);
        }
        for (String words : List.of("td", "text", "div")) {
            assertThat(browser.texts(words)).isNotEmpty().noneMatch(ReportPageTest::isNoNumber);
        }
    }

    private static boolean isNoNumber(String text) {
        return Stream.of("NaN", "Infinity", "undefined", "null").anyMatch(text::contains);
    }

    @Test
    void variantThatIsSwitchedOffIsNotDrawn() throws IOException {
        try (Browser browser = Browser.open(ReportPage.of(List.of(summary())))) {
            long curves = lines(browser);

            browser.click("hit");
            assertThat(lines(browser)).isLessThan(curves);
            browser.click("hit");
            assertThat(lines(browser)).isEqualTo(curves);
        }
    }

    @Test
    void anotherRoundReplacesTheOneThatWasShown() throws IOException {
        try (Browser browser = Browser.open(ReportPage.of(List.of(summary())))) {
            long curves = lines(browser);
            List<String> headings = browser.texts("h3");

            browser.choose(2);
            browser.pointAt("p99, ms", 700);

            assertThat(browser.texts("div")).contains("calm  40.0 ms", "hit  40.0 ms");
            assertThat(lines(browser)).isEqualTo(curves);
            assertThat(browser.texts("h3")).isEqualTo(headings);
        }
    }

    @Test
    void pointerTellsTheFiguresUnderIt() throws IOException {
        try (Browser browser = Browser.open(ReportPage.of(List.of(summary())))) {
            browser.pointAt("p99, ms", 700);

            assertThat(browser.texts("div")).contains("calm  20.0 ms", "hit  20.0 ms");
        }
    }

    @Test
    void twoRunsAreShownSideBySideWithTheirRatios() throws IOException {
        try (Browser browser = Browser.open(ReportPage.of(List.of(summary(), summary())))) {
            assertThat(browser.texts("h1")).containsExactly("Is </script> & \"c\" shown?, compared");
            assertThat(browser.texts("h2")).contains("B against A");
            assertThat(browser.texts("span")).contains("A \u00b7 calm", "B \u00b7 hit");
        }
    }

    private static long lines(Browser browser) {
        return browser.attributes("path").stream()
                .filter(attribute -> attribute.startsWith("d="))
                .count();
    }
}
