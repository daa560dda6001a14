import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processor time of processes, user and system, as Linux accounts it in ticks of 10 ms. */
record Servers(List<Long> pids) {
    private static final long TICK_MICROS = 10_000;
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;
    private static final int IDLE_FIELD = 4;
    private static final int WAIT_FIELD = 5;
    private static final int SOFT_INTERRUPT_FIELD = 7;

    /** Of all of them since they started; fails if one has ended. */
    long micros() throws IOException {
        long sum = 0;
        for (long pid : pids) {
            sum += micros(pid);
        }
        return sum;
    }

    private static long micros(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD])) * TICK_MICROS;
    }

    /** Of the whole machine since it started, all processors together. */
    static long machineMicros() throws IOException {
        String[] fields = Files.readString(Path.of("/proc/stat")).split("\n", 2)[0].split(" +", -1);
        long ticks = 0;
        for (int field = 1; field <= SOFT_INTERRUPT_FIELD; field++) {
            if (field != IDLE_FIELD && field != WAIT_FIELD) {
                ticks += Long.parseLong(fields[field]);
            }
        }
        return ticks * TICK_MICROS;
    }
}
