package dev.kvorum.node.cell;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A cell with a value of 100 bytes: stamped, as a coordinator does; decoded and compared, as for each reply to a read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CellBenchmark {
    private static final Key KEY = Key.of("some-key");
    private final byte[] value = new byte[100];
    private final byte[] bytes =
            Draft.ofValue(value).stamp(KEY, new Version(1, 1), 3).bytes();
    private final Cell older = Cell.decode(bytes);
    private final Cell newer = Draft.ofValue(value).stamp(KEY, new Version(2, 1), 3);
    private long time;

    @Benchmark
    public Cell stamp() {
        return Draft.ofValue(value).stamp(KEY, new Version(++time, 1), 3);
    }

    @Benchmark
    public Cell decode() {
        return Cell.decode(bytes);
    }

    @Benchmark
    public @Nullable Cell newest() {
        return Cell.newest(older, newer);
    }
}
