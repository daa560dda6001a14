package dev.kvorum.simulation.mutant;

import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Subject;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.lang.reflect.Method;

/** Runs seeds on a mutant. */
public final class MutantRun implements Subject {
    private static final String SIMULATION = "dev.kvorum.simulation.run.Simulation"; // By name: of another loader.

    private final Method simulation;

    private MutantRun(Method simulation) {
        this.simulation = simulation;
    }

    /** Compiles and loads it. */
    public static MutantRun of(Mutant mutant, SourceTree sources) throws IOException {
        return of(mutant, sources, SIMULATION);
    }

    /** The same, for another simulation. */
    public static MutantRun of(Mutant mutant, SourceTree sources, String simulation) throws IOException {
        MutantLoader loader = new MutantLoader(new MutantCompiler(sources).compile(mutant));
        try {
            return new MutantRun(loader.loadClass(simulation).getMethod("run", Run.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(simulation + " is not as it was", e);
        }
    }

    @Override
    public Verdict run(Run run) {
        try {
            return (Verdict) simulation.invoke(null, run);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("seed " + run.seed() + " ended without a verdict", e);
        }
    }
}
