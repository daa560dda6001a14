package dev.kvorum.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time of processes, user and system together, in microseconds, as Linux accounts it in ticks. */
public final class ProcessorTime {
    /** USER_HZ: 100 on every Linux that runs Java, whatever the kernel's own tick. */
    private static final long TICK_MICROS = 10_000;

    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;

    private ProcessorTime() {}

    /** @throws IOException if there is no such process any more */
    public static long micros(long pid) throws IOException {
        return micros(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    }

    public static long ofThisProcessMicros() {
        try {
            return micros(ProcessHandle.current().pid());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param stat the text of /proc/PID/stat; its second field is a name that may hold blanks and parentheses */
    static long micros(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
        return (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD])) * TICK_MICROS;
    }
}
