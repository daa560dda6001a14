package dev.kvorum.operator.cluster;

import dev.kvorum.operator.api.KvorumClusterSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A place for a node: a zone, and a number in it from 0 on.
 *
 * @param zone {@link #NO_ZONE} where none are asked for
 */
public record Seat(String zone, int ordinal) {
    /** The zone of the nodes of a cluster that asks for none; as in a topology file that leaves it out. */
    public static final String NO_ZONE = "default";

    /** The seats that a spec asks for: spread evenly over the zones, of which the first by name get what is left over. The order in the spec means nothing. */
    public static List<Seat> of(KvorumClusterSpec spec) {
        List<String> zones = spec.zones().isEmpty()
                ? List.of(NO_ZONE)
                : spec.zones().stream().sorted().toList();
        List<Seat> seats = new ArrayList<>(spec.replicas());
        for (int i = 0; i < spec.replicas(); i++) {
            seats.add(new Seat(zones.get(i % zones.size()), i / zones.size()));
        }
        return List.copyOf(seats);
    }
}
