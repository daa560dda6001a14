package dev.kvorum.node.membership;

import dev.kvorum.node.cell.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From a key to its three owners; and the view of a new epoch, which places a partition when it is first asked for it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlacementBenchmark {
    @Param({"3", "50"})
    int members;

    private final Key key = Key.of("cart-7");
    private @Nullable ClusterView view;

    @Setup
    public void place() {
        view = newEpoch();
    }

    private Topology topology() {
        List<Member> all = IntStream.range(0, members)
                .mapToObj(i -> new Member(
                        "n" + i,
                        URI.create("http://a:" + (8000 + i)),
                        URI.create("http://b:" + (9000 + i)),
                        "zone",
                        MemberState.ACTIVE,
                        1,
                        null))
                .toList();
        return new Topology("benchmark", 1, 3, 4096, all);
    }

    @Benchmark
    public List<Member> owners() {
        return Objects.requireNonNull(view).owners(key, 3);
    }

    @Benchmark
    public ClusterView newEpoch() {
        return ClusterView.of("n0", topology());
    }

    @Benchmark
    public List<Member> ownersFirstAskedFor() {
        return newEpoch().owners(key, 3);
    }
}
