package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/** Runs a page's script on its data; an error of the script is one of the test. What it stands on, {@code browser.js}, has elements but no layout. */
final class Browser implements AutoCloseable {
    private static final Pattern SCRIPTS = Pattern.compile("(?s)<script[^>]*>(.*?)</script>");

    private final Context context = Context.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .build();
    private final Value browser;

    private Browser(String data, String script) throws IOException {
        context.getBindings("js").putMember("PAGE_DATA", data);
        context.eval("js", harness());
        context.eval("js", "(() => {" + script + "})()"); // With names of its own.
        browser = context.getBindings("js").getMember("browser");
    }

    static Browser open(String page) throws IOException {
        Matcher scripts = SCRIPTS.matcher(page);
        assertThat(scripts.find()).as("data").isTrue();
        String data = scripts.group(1);
        assertThat(scripts.find()).as("script").isTrue();
        return new Browser(data, scripts.group(1));
    }

    private static String harness() throws IOException {
        try (InputStream stream = Browser.class.getResourceAsStream("browser.js")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    String title() {
        return browser.invokeMember("title").asString();
    }

    /** What the elements of a name say, in the order of the page. */
    List<String> texts(String name) {
        return strings(browser.invokeMember("texts", name));
    }

    /** Of the elements of a name, each as {@code key=value}. */
    List<String> attributes(String name) {
        return strings(browser.invokeMember("attributes", name));
    }

    /** Presses the button that says this. */
    void click(String text) {
        browser.invokeMember("click", text);
    }

    /** Chooses a round, from 1. */
    void choose(int round) {
        browser.invokeMember("choose", round);
    }

    /** Moves the pointer over the first chart of a title, so many pixels from its left edge. */
    void pointAt(String chart, int x) {
        browser.invokeMember("pointAt", chart, x);
    }

    private static List<String> strings(Value array) {
        return List.of(array.as(String[].class));
    }

    @Override
    public void close() {
        context.close();
    }
}
