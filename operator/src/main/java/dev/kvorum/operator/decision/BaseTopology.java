package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.decision.Decision.Service;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Optional;

/** Which topology everything else stands on: the published one, unless there is none, or nodes go by a newer one. */
final class BaseTopology {
    private final Observed observed;
    private final ClusterName name;
    private final TopologyTrust trust;

    BaseTopology(Observed observed) {
        this.observed = observed;
        this.name = observed.name();
        this.trust = new TopologyTrust(observed);
    }

    /** Where none is published: the one that nodes go by, or the first one. */
    Decision first() {
        Topology newest = observed.newest();
        if (newest != null) {
            return restored(newest);
        }
        if (!observed.volumes().isEmpty()) {
            return Decision.blocked(
                    new Obstacle(
                            false,
                            "TopologyLost",
                            "volumes of an earlier cluster of this name are here, but the ConfigMap " + name.topology()
                                    + " is not, and no node can be asked: restore it, or delete the volumes if nothing in them is missed: "
                                    + observed.commands().deleteAllVolumes()),
                    Service.NONE);
        }
        List<Member> members = MembershipDecision.target(observed);
        Optional<String> strangers = observed.strangersAmong(members);
        if (strangers.isPresent()) {
            return Decision.blocked(new Obstacle(false, "VolumesOfOthers", strangers.get()), Service.NONE);
        }
        Topology topology = new Topology(
                name.identity(),
                1,
                observed.spec().replicationFactor(),
                observed.spec().partitions(),
                members);
        return publishing(
                topology, topology, Note.normal("Created", "Epoch 1 names the first " + members.size() + " members"));
    }

    private Decision restored(Topology newest) {
        String gone = "there is no ConfigMap " + name.topology() + ", and the topology that " + holders(newest)
                + " by is not restored: ";
        Optional<String> contradiction = trust.contradiction(newest);
        if (contradiction.isPresent()) {
            return blocked(
                    newest,
                    true,
                    "TopologyDiffers",
                    gone + contradiction.get() + ". Ask for the same, or delete the volumes and pods of that cluster");
        }
        Optional<String> strangeness = trust.strangeness(newest);
        if (strangeness.isPresent()) {
            return blocked(
                    newest,
                    false,
                    "TopologyDoubted",
                    gone + strangeness.get()
                            + ". Look at these nodes, and put the right one into that ConfigMap, with an epoch above "
                            + newest.epoch());
        }
        Note note = Note.warning(
                "TopologyRestored", "The topology was gone; epoch " + newest.epoch() + " is restored from the nodes");
        return publishing(newest, newest, note);
    }

    /** What is to be done instead of going by the published one; empty where it stands. */
    Optional<Decision> other(Topology published) {
        Optional<String> contradiction = trust.contradiction(published);
        if (contradiction.isPresent()) {
            return Optional.of(blocked(
                    published,
                    true,
                    "TopologyDiffers",
                    "the ConfigMap " + name.topology() + " holds the topology of an earlier cluster of this name: "
                            + contradiction.get() + ". Ask for the same, or delete its volumes and that ConfigMap"));
        }
        Topology newest = observed.newest();
        return newest == null || newest.epoch() <= published.epoch()
                ? Optional.empty()
                : Optional.of(succeeded(published, newest));
    }

    private Decision succeeded(Topology published, Topology newest) {
        Optional<String> doubt = doubt(published, newest);
        if (doubt.isPresent()) {
            return blocked(
                    published,
                    false,
                    "TopologyDoubted",
                    holders(newest) + " by epoch " + newest.epoch() + ", which is newer than epoch " + published.epoch()
                            + " in the ConfigMap " + name.topology() + " and is not adopted: " + doubt.get());
        }
        Note note = Note.warning(
                "TopologyAdopted",
                "Nodes go by epoch " + newest.epoch() + ", which was published by somebody else: it is adopted");
        return publishing(newest, published, note);
    }

    /** What keeps a newer topology from being adopted, and the ways out, in words; empty where nothing. */
    private Optional<String> doubt(Topology published, Topology newest) {
        List<String> outOfReach = trust.outOfReach(newest);
        if (!outOfReach.isEmpty()) {
            String first = outOfReach.getFirst();
            return Optional.of("the others do not follow, as it is more than " + TopologyTrust.EPOCHS_AHEAD_MAX
                    + " epochs ahead of theirs. Have " + first + " rebuilt from them: "
                    + observed.commands().rebuild(first));
        }
        String ifWrong = " If what is published is right, raise the epoch in that ConfigMap above " + newest.epoch()
                + ": then all nodes get it, and go by it";
        return trust.strangeness(newest)
                .map(strange -> strange + "." + ifWrong)
                .or(() -> trust.overreach(published, newest)
                        .map(overreach -> overreach
                                + ". If it is right nevertheless, delete that ConfigMap: then it is restored from the nodes."
                                + ifWrong));
    }

    /** Who goes by it, and the verb. */
    private String holders(Topology topology) {
        List<String> ids = trust.holders(topology);
        return switch (ids.size()) {
            case 0 -> "some node goes"; // It has gone on to another meanwhile.
            case 1 -> ids.getFirst() + " goes";
            default -> String.join(", ", ids) + " go";
        };
    }

    /** @param present by which it is told who serves */
    private Decision publishing(Topology topology, Topology present, Note note) {
        return Decision.publishing(
                new Publication(topology, topology.isChanging(), note),
                Service.of(new Availability(observed, present)));
    }

    private Decision blocked(Topology present, boolean invalid, String reason, String message) {
        return Decision.blocked(
                new Obstacle(invalid, reason, message), Service.of(new Availability(observed, present)));
    }
}
