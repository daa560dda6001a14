package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Who goes by the present topology. The next one may be published only when nobody goes by an older one any more; a member that can't be asked may still
 * serve a client by it, unless its processes have been ended.
 */
final class Level {
    private final Observed observed;
    private final Topology topology;

    Level(Observed observed, Topology topology) {
        this.observed = observed;
        this.topology = topology;
    }

    /** Ids of members that may go by an older epoch. */
    List<String> behind() {
        return behind(member -> true);
    }

    /** Those of them that are among these. */
    List<String> behind(Predicate<Member> among) {
        return members(among)
                .filter(observed::isAlive)
                .filter(member -> observed.report(member)
                        .map(report -> report.epoch() < topology.epoch())
                        .orElse(true))
                .map(Member::id)
                .toList();
    }

    /** Ids of members whose processes have been ended. */
    List<String> gone() {
        return members(member -> !observed.isAlive(member)).map(Member::id).toList();
    }

    /** Gives the present topology to those who can be asked and have an older one. */
    List<Action> pushes() {
        return members(member -> observed.report(member)
                        .map(report -> report.epoch() < topology.epoch())
                        .orElse(false))
                .<Action>map(member -> new Action.Push(member, topology))
                .toList();
    }

    private Stream<Member> members(Predicate<Member> among) {
        return topology.members().stream().filter(among);
    }
}
