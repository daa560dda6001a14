package dev.kvorum.operator.decision;

import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who goes by the present topology. The next one may be published only when nobody goes by an older one any more; a member that can't be asked may still
 * serve a client by it, unless it has no process: {@link Observed#isAlive}. That is as true of a former member whose pod still runs.
 */
final class TopologyAdoption {
    private final Observed observed;
    private final Topology topology;

    TopologyAdoption(Observed observed, Topology topology) {
        this.observed = observed;
        this.topology = topology;
    }

    /** Ids of members, and former ones, that may go by an older epoch: who publishes waits for them. */
    List<String> behind() {
        return Stream.concat(members(), former())
                .filter(this::isBehind)
                .sorted()
                .toList();
    }

    /** Those of them that are members. */
    List<String> membersBehind() {
        return members().filter(this::isBehind).toList();
    }

    /** Gives the present topology to all who can be asked and have an older one: members, former ones and those that are to become some. */
    List<Action> pushes() {
        return observed.reports().values().stream()
                .filter(report -> report.epoch() < topology.epoch())
                .map(MemberReport::member)
                .sorted()
                .<Action>map(id -> new Action.Push(member(id), topology))
                .toList();
    }

    private Stream<String> members() {
        return topology.members().stream().map(Member::id).filter(observed::isAlive);
    }

    private Stream<String> former() {
        return observed.pods().keySet().stream()
                .filter(id -> observed.isAlive(id) && topology.member(id).isEmpty())
                .filter(this::wasMember);
    }

    private boolean wasMember(String id) {
        VolumeState volume = observed.volumes().get(id);
        // Not if it was to become one in the present epoch, which doesn't name it: then it never was one.
        return volume != null && volume.joined() != null && volume.joined() < topology.epoch();
    }

    private boolean isBehind(String id) {
        MemberReport report = observed.reports().get(id);
        return report == null || report.epoch() < topology.epoch();
    }

    /** How to reach it, whether the topology names it or not. */
    private Member member(String id) {
        return topology.member(id).orElseGet(() -> observed.name().memberOf(id, observed.zones()));
    }
}
