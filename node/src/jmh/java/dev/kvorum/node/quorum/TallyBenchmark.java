package dev.kvorum.node.quorum;

import dev.kvorum.node.quorum.AckTally.Verdict;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** All that a tally does for one request of 2/3. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TallyBenchmark {
    private final Quorum quorum = new Quorum(2, 3);

    @Benchmark
    public Verdict twoOfThree() {
        AckTally tally = new AckTally(quorum);
        tally.success("n1");
        return tally.success("n2");
    }
}
