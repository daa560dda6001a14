package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.Verifications.Lack;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Loss;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The life of this member on its disk: which start this is, and what the disk lacks. Any thread; nothing blocks. */
final class OwnLife {
    private final Membership membership;
    private final MemberDirectory directory;
    private final Verifications verifications;
    private final Supplier<List<Integer>> lacking;

    /** @param lacking the partitions of this member that are not whole */
    OwnLife(
            Membership membership,
            MemberDirectory directory,
            Verifications verifications,
            Supplier<List<Integer>> lacking) {
        this.membership = membership;
        this.directory = directory;
        this.verifications = verifications;
        this.lacking = lacking;
    }

    /** As it is now. Where partitions lack something for several reasons, the worst of them counts. */
    Life now() {
        List<Integer> partitions = lacking.get();
        Loss loss = partitions.stream()
                .map(verifications::lack)
                .flatMap(Optional::stream) // One that was regained meanwhile lacks nothing.
                .min(Comparator.comparing(Lack::extent))
                .map(lack -> new Loss(lack.extent(), lack.before(), partitions.size(), why(lack.extent())))
                .orElse(null);
        return new Life(directory.start(), loss);
    }

    private String why(Extent extent) {
        return switch (extent) {
            case ALL -> whyAll();
            case CELLS -> "memory or the disk has changed stored cells, whose partitions are rebuilt from the others";
            case LATEST ->
                "the machine stopped without notice while this member ran with kvorum.storage.durability=async:"
                        + " its last writes are copied from the logs of the other members, or each partition is compared with them. Start all members";
        };
    }

    private String whyAll() {
        ClusterView view = membership.view();
        Optional<String> another = view.topology()
                .member(view.self())
                .flatMap(Member::knownIncarnation)
                .filter(known -> !known.equals(directory.incarnation()))
                .map(known ->
                        "this is data directory " + directory.incarnation() + ", and the topology records " + known);
        String aside =
                "what the member held was set aside: it was damaged, an older copy, or the member was away for too"
                        + " long. The log of that start says which";
        return directory.rebuilding() > 0 ? aside : another.orElse(aside);
    }
}
