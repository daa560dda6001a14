package dev.kvorum.load;

import dev.kvorum.load.chaos.ChaosOptions;
import dev.kvorum.load.chaos.fault.FaultKind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a run of chaos is to be, as it was typed. */
final class ChaosCommandOptions {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = WholeNumber.Seed.class,
            description = "Decides the schedule of faults and requests; any unless said.")
    private @Nullable Long seed;

    @Option(
            names = "--duration",
            paramLabel = "LENGTH",
            defaultValue = "3m",
            converter = Length.class,
            description = "Of load and faults, as 60s or 30m; ${DEFAULT-VALUE} unless said.")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "5",
            converter = WholeNumber.ChaosNodes.class,
            description = "At the beginning, 3 to 9; ${DEFAULT-VALUE} unless said.")
    private long nodes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "300",
            converter = WholeNumber.ChaosRate.class,
            description = "Operations a second, 1 to 5,000; ${DEFAULT-VALUE} unless said.")
    private long rate;

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            description = "Only these kinds; all unless said: ${COMPLETION-CANDIDATES}.")
    private List<FaultKind> faults = List.of(FaultKind.values());

    /** @param anySeed unless one was typed */
    ChaosOptions options(long anySeed) {
        return new ChaosOptions(
                seed == null ? anySeed : seed,
                length,
                new ChaosOptions.Size(Math.toIntExact(nodes), Math.toIntExact(rate)),
                faults,
                node.jar(),
                node.results());
    }
}
