package dev.kvorum.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What the processors of the machine did, all of them together, in ticks of Linux.
 *
 * @param all    whatever they did
 * @param rested of it, while nothing wanted them, or all that did waited for a disk
 * @param stolen of it, while something wanted them and the hypervisor had them serve other machines, as far as it tells
 */
public record MachineTime(long all, long rested, long stolen) {
    private static final int IDLE_FIELD = 3;
    private static final int DISK_FIELD = 4;
    private static final int STOLEN_FIELD = 7;

    /** Since the machine was started. */
    public static MachineTime now() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            return of(lines.findFirst().orElseThrow(() -> new IllegalStateException("/proc/stat is empty")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param line the first of /proc/stat; what guests of this machine had, in its last two fields, is in the first two as well */
    static MachineTime of(String line) {
        long[] ticks = Stream.of(line.trim().split("\\s+", -1))
                .skip(1)
                .limit(STOLEN_FIELD + 1)
                .mapToLong(Long::parseLong)
                .toArray();
        return new MachineTime(LongStream.of(ticks).sum(), ticks[IDLE_FIELD] + ticks[DISK_FIELD], ticks[STOLEN_FIELD]);
    }

    public MachineTime since(MachineTime earlier) {
        return new MachineTime(all - earlier.all, rested - earlier.rested, stolen - earlier.stolen);
    }

    public double restedPercent() {
        return percent(rested);
    }

    public double stolenPercent() {
        return percent(stolen);
    }

    private double percent(long part) {
        return all == 0 ? 0 : 100.0 * part / all;
    }
}
