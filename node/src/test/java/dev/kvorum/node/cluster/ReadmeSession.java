package dev.kvorum.node.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The shell lines of README.md: blocks marked {@code sh} have commands, blocks marked {@code console} have commands and what they print. */
public record ReadmeSession(List<Step> steps) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    private static final Pattern STEP = Pattern.compile("(?m)^(?=\\$ )");
    private static final String PROMPT = "$ ";

    /** A command, and the lines that it prints. */
    public record Step(String command, List<String> output) {}

    /** All console blocks, as one session. */
    public static ReadmeSession read() throws IOException {
        List<Step> steps = new ArrayList<>();
        for (String block : blocks("console")) {
            for (String step : STEP.splitAsStream(block).toList()) {
                if (!step.startsWith(PROMPT)) {
                    throw new IllegalStateException("A console block begins with a command, and not with: " + step);
                }
                List<String> lines = step.strip().lines().toList();
                steps.add(new Step(lines.getFirst().substring(PROMPT.length()), lines.subList(1, lines.size())));
            }
        }
        return new ReadmeSession(steps);
    }

    /** The commands of all other blocks, without comments. */
    public static List<String> commands() throws IOException {
        return blocks("sh").stream()
                .flatMap(String::lines)
                .map(line -> line.replaceFirst(" +#.*", ""))
                .toList();
    }

    /** The commands within the text, as {@code make add-node NODE=4}. */
    public static List<String> inlineMakes() throws IOException {
        String text = BLOCK.matcher(text()).replaceAll("");
        return Pattern.compile("`(make [^`]+)`")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** The languages of all blocks. */
    public static List<String> languages() throws IOException {
        return matches().map(block -> block.group(1)).toList();
    }

    private static List<String> blocks(String language) throws IOException {
        return matches()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    private static Stream<MatchResult> matches() throws IOException {
        return BLOCK.matcher(text()).results();
    }

    private static String text() throws IOException {
        return Files.readString(Checkout.file("README.md"));
    }
}
