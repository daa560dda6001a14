package dev.kvorum.operator;

import dev.kvorum.topology.text.ControlCharacters;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard error on which each printed text is one line: its control characters are escaped, tabs excepted. {@code println} and stack traces pass their texts
 * through {@link #print(String)}, and end lines themselves. Log events are written with both.
 */
final class EscapedOutput extends PrintStream {
    EscapedOutput(PrintStream output) {
        super(output, true, output.charset());
    }

    @Override
    public void print(@Nullable String text) {
        super.print(ControlCharacters.escaped(String.valueOf(text), "\t"));
    }
}
