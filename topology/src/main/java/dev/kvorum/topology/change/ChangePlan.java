package dev.kvorum.topology.change;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What comes of a request to change the members, before anything has changed. */
public sealed interface ChangePlan {
    /**
     * It can be begun.
     *
     * @param begin the topology that begins it
     * @param moves one for each member that gains something
     */
    record Accepted(Topology begin, List<Move> moves) implements ChangePlan {
        /** Bytes that are moved, estimated. */
        public long bytes() {
            return moves.stream().mapToLong(Move::bytes).sum();
        }

        /** How long that takes at the limits of the members, in seconds, if nothing else slows it down. */
        public long seconds() {
            return moves.stream().mapToLong(Move::seconds).max().orElse(0);
        }
    }

    /** It can't, and nothing has changed. */
    record Refused(String reason) implements ChangePlan {}

    /**
     * What one member gains.
     *
     * @param partitions of which it comes to hold what most keys have: as many copies as the replication factor
     * @param bytes estimated; 0 where nobody has said how much it is
     * @param bytesPerSecondMax its limit, or that of the slowest while it has not told its own; 0 where none is known
     */
    record Move(String member, int partitions, long bytes, long bytesPerSecondMax) {
        /** What has to stay free besides: for the log, and for what clients write meanwhile. */
        static final long HEADROOM_BYTES = 256L << 20;

        /** The room that it takes: sizes are estimates, and while the database merges files it holds the old and the new ones. */
        public long bytesNeeded() {
            return bytes + bytes / 2 + HEADROOM_BYTES;
        }

        /** How long it takes at the limit. */
        public long seconds() {
            return (bytes + bytesPerSecondMax - 1) / Math.max(1, bytesPerSecondMax);
        }
    }

    /**
     * Looks at a request.
     *
     * @param reports of all that could be asked, members and those that are to join, by id
     * @param sizes of all members that could be asked, by id
     */
    static ChangePlan of(
            Topology present,
            ChangeRequest request,
            Map<String, MemberReport> reports,
            Map<String, PartitionSizes> sizes) {
        Optional<String> refusal = refusalOfMembers(present, request)
                .or(() -> refusalOfReports(present, request, reports))
                .or(() -> refusalOfSizes(present, request, sizes));
        if (refusal.isPresent()) {
            return new Refused(refusal.get());
        }
        Topology begin;
        try {
            begin = ChangeTopologies.incarnated(ChangeTopologies.begin(present, request), reports);
        } catch (InvalidTopologyException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
        List<Move> moves = moves(begin, reports, sizes);
        return shortage(moves, reports).<ChangePlan>map(Refused::new).orElse(new Accepted(begin, moves));
    }

    /** What a change moves that is planned or running, by the topology that has begun it or would; as far as sizes are known. */
    static List<Move> moves(Topology begun, Map<String, MemberReport> reports, Map<String, PartitionSizes> sizes) {
        long[] bytes = largest(begun.partitions(), sizes);
        Placement current = Placement.current(begun);
        Placement next = Placement.next(begun);
        List<Move> moves = new ArrayList<>();
        for (Member member : begun.nextOwners()) {
            List<Gain> gains = Gain.of(current, next, member.id()).stream()
                    .filter(gain -> gain.brings(begun.replicationFactor()))
                    .toList();
            if (!gains.isEmpty()) {
                long sum = gains.stream()
                        .mapToLong(gain -> bytes[gain.partition()])
                        .sum();
                moves.add(new Move(member.id(), gains.size(), sum, limit(member.id(), reports)));
            }
        }
        return List.copyOf(moves);
    }

    private static long limit(String member, Map<String, MemberReport> reports) {
        @Nullable MemberReport report = reports.get(member);
        return report != null
                ? report.transfer().bytesPerSecondMax()
                : reports.values().stream()
                        .mapToLong(other -> other.transfer().bytesPerSecondMax())
                        .min()
                        .orElse(0);
    }

    /** Why a disk does not have the room, in words; empty if each has it that has been told of. */
    static Optional<String> shortage(List<Move> moves, Map<String, MemberReport> reports) {
        return moves.stream()
                .filter(move -> reports.containsKey(move.member()))
                .flatMap(move -> fullDisk(move, reports).stream())
                .findFirst();
    }

    /** A present owner of which is not known how much it holds, which must not count as nothing; empty if there is none but those that are gone. */
    static Optional<Member> uncounted(Topology topology, Set<String> gone, Map<String, PartitionSizes> sizes) {
        return topology.currentOwners().stream()
                .filter(member -> !gone.contains(member.id()))
                .filter(member -> Optional.ofNullable(sizes.get(member.id()))
                        .filter(size -> size.bytes().length == topology.partitions())
                        .isEmpty())
                .findFirst();
    }

    private static Optional<String> refusalOfMembers(Topology present, ChangeRequest request) {
        if (present.isChanging()) {
            return Optional.of("a change is running already: wait until it is final, or cancel it");
        }
        if (request.joining().isEmpty() && request.leaving().isEmpty()) {
            return Optional.of("nobody is to join or to leave");
        }
        Set<String> members = ids(present.members());
        for (String id : request.leaving()) {
            if (!members.contains(id)) {
                return Optional.of("\"" + id + "\" can't leave: the members are " + String.join(", ", sorted(members)));
            }
        }
        for (Member member : request.joining()) {
            if (members.contains(member.id())) {
                return Optional.of("\"" + member.id() + "\" can't join: it is a member");
            }
        }
        for (String id : request.gone()) {
            if (!request.leaving().contains(id)) {
                return Optional.of("\"" + id + "\" is said to be gone, but not to leave: only who leaves can be gone");
            }
        }
        return refusalOfNumbers(present, request);
    }

    private static Optional<String> refusalOfNumbers(Topology present, ChangeRequest request) {
        int staying = present.members().size() - request.leaving().size();
        int after = staying + request.joining().size();
        if (after == 0) {
            return Optional.of("nobody would own the data: at least one member has to stay or to join");
        }
        if (after < present.replicationFactor() && after < present.members().size()) {
            return Optional.of("it would leave " + after + " members, too few for " + present.replicationFactor()
                    + " copies (replicationFactor)");
        }
        int left = present.members().size() - request.gone().size();
        return left == 0
                ? Optional.of("all members are said to be gone: nobody would be left to pull the data from")
                : Optional.empty();
    }

    private static Optional<String> refusalOfReports(
            Topology present, ChangeRequest request, Map<String, MemberReport> reports) {
        for (Member member : present.members()) {
            @Nullable MemberReport report = reports.get(member.id());
            boolean gone = request.gone().contains(member.id());
            if (report == null && !gone) {
                return Optional.of("member \"" + member.id() + "\" at " + member.peer()
                        + " can't be asked: every member has to take part, unless its process was ended and it is"
                        + " said to be gone");
            }
            if (report != null && gone) {
                return Optional.of(
                        "member \"" + member.id() + "\" is said to be gone, but answers: end its process first");
            }
            if (report != null) {
                Optional<String> refusal = refusal(present, report);
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
        }
        return refusalOfJoining(present, request, reports);
    }

    private static Optional<String> refusal(Topology present, MemberReport report) {
        if (report.epoch() != present.epoch()) {
            return Optional.of("member \"" + report.member() + "\" goes by epoch " + report.epoch() + ", not "
                    + present.epoch() + ": try again when all go by the same");
        }
        if (report.contradicts(present)) {
            return Optional.of(contradiction(report));
        }
        return report.rebuilding() > 0
                ? Optional.of("member \"" + report.member() + "\" has lost data and has yet to compare "
                        + report.rebuilding()
                        + " partitions, for which it needs every member: one that is dead for good"
                        + " has to be started once more, with an empty directory")
                : Optional.empty();
    }

    static String contradiction(MemberReport report) {
        return "member \"" + report.member() + "\" goes by another topology of epoch " + report.epoch()
                + ": publish epoch " + (report.epoch() + 1)
                + " with the right members, in the topology file of every node";
    }

    private static Optional<String> refusalOfJoining(
            Topology present, ChangeRequest request, Map<String, MemberReport> reports) {
        for (Member member : request.joining()) {
            String id = "\"" + member.id() + "\"";
            @Nullable MemberReport report = reports.get(member.id());
            if (report == null) {
                return Optional.of(id + " can't join: nobody answers at " + member.peer() + "; start it first, with"
                        + " --kvorum.await-membership=true");
            }
            if (!report.member().equals(member.id())) {
                return Optional.of(
                        id + " can't join: at " + member.peer() + " it is \"" + report.member() + "\" that answers");
            }
            if (present.cluster() != null && !present.cluster().equals(report.cluster())) {
                return Optional.of(id + " can't join cluster \"" + present.cluster() + "\": it is of cluster \""
                        + report.cluster() + "\"");
            }
            if (report.partitions() != present.partitions()) {
                return Optional.of(id + " can't join: it has " + report.partitions() + " partitions, the cluster has "
                        + present.partitions());
            }
            if (report.epoch() > present.epoch()) {
                return Optional.of(id + " can't join: it goes by epoch " + report.epoch()
                        + ", which is newer than the members' " + present.epoch());
            }
            if (report.past().isForgotten()) {
                return Optional.of(id + " can't join: it was a member until "
                        + TimeUnit.MILLISECONDS.toHours(report.past().awayMillis())
                        + " hours ago, longer than deletions are kept, and could bring back what was deleted since;"
                        + " stop it, empty its data directory and start it again");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> refusalOfSizes(
            Topology present, ChangeRequest request, Map<String, PartitionSizes> sizes) {
        return uncounted(present, request.gone(), sizes)
                .map(member -> "how much member \"" + member.id() + "\" at " + member.peer()
                        + " holds is not known, as it did not tell its sizes: without that nobody can tell whether"
                        + " the disks would hold what moves; try again");
    }

    /** Of each partition what the member holds that holds the most of it. */
    private static long[] largest(int partitions, Map<String, PartitionSizes> sizes) {
        long[] largest = new long[partitions];
        for (PartitionSizes size : new HashMap<>(sizes).values()) {
            for (int partition = 0; partition < Math.min(partitions, size.bytes().length); partition++) {
                largest[partition] = Math.max(largest[partition], size.bytes()[partition]);
            }
        }
        return largest;
    }

    private static Optional<String> fullDisk(Move move, Map<String, MemberReport> reports) {
        long free = Optional.ofNullable(reports.get(move.member()))
                .map(report -> report.disk().free())
                .orElse(0L);
        return move.bytesNeeded() <= free
                ? Optional.empty()
                : Optional.of("the disk of \"" + move.member() + "\" would not hold it: it gets about " + move.bytes()
                        + " bytes, needs " + move.bytesNeeded() + " for them (a half more, and "
                        + Move.HEADROOM_BYTES + "), and has " + free + " free");
    }

    private static Set<String> ids(List<Member> members) {
        return members.stream().map(Member::id).collect(Collectors.toSet());
    }

    private static List<String> sorted(Set<String> ids) {
        return ids.stream().sorted().toList();
    }
}
