package dev.kvorum.load.report;

import dev.kvorum.load.figure.Percentiles;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Slice;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.run.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Progress for whoever watches: one line that changes every second on a terminal, plain lines elsewhere. One thread only. */
public final class Terminal implements Progress {
    private static final String CLEAR_LINE = "\r\u001b[2K";

    private final PrintStream out;
    private final boolean updates;
    private String phase = "";

    Terminal(PrintStream out, boolean updates) {
        this.out = out;
        this.updates = updates;
    }

    // JDK 25 has no console again where the output is no terminal; the check knows only of the JDKs between.
    @SuppressWarnings("SystemConsoleNull")
    public static Terminal ofProcess() {
        Console console = System.console();
        return new Terminal(System.out, console != null && console.isTerminal());
    }

    @Override
    public void phase(String what) {
        phase = what;
        print(what);
    }

    @Override
    public void second(TimedSlice timed) {
        Slice slice = timed.slice();
        Histogram done = slice.allDone();
        double seconds = Math.max(0.001, (timed.endMillis() - timed.startMillis()) / 1000.0);
        double p99 = done.getTotalCount() == 0 ? 0 : Percentiles.millis(done, 99);
        print(String.format(
                Locale.ROOT,
                "%-32s %,8.0f/s   p99 %8.2f ms   errors %d   refused %d",
                phase,
                slice.count(Outcome.DONE) / seconds,
                p99,
                slice.errors(),
                slice.count(Outcome.REFUSED)));
    }

    private void print(String line) {
        if (updates) {
            out.print(CLEAR_LINE + line);
            out.flush();
        } else {
            out.println(line);
        }
    }

    /** What stays on the screen. */
    public void say(String text) {
        out.println(updates ? CLEAR_LINE + text : text);
    }
}
