package dev.kvorum.simulation.verdict;

/** What seeds are run on: the node as it is, or a mutant of it. Any number of threads at a time. */
@FunctionalInterface
public interface Subject {
    Verdict run(Run run);
}
