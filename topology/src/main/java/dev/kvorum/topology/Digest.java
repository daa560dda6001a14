package dev.kvorum.topology;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Comparator;
import java.util.stream.Collectors;

/** The digest of a topology: XXH3 of its fields, without the highest bit. Nobody is kept from making two with the same digest; by mistake nobody does. */
final class Digest {
    private static final String BETWEEN = "\0"; // In no field.

    private Digest() {}

    /** Not 0. */
    static long of(Topology topology) {
        String members = topology.members().stream()
                .sorted(Comparator.comparing(Member::id)) // The order means nothing.
                .map(Digest::text)
                .collect(Collectors.joining(BETWEEN));
        String text = String.join(
                BETWEEN,
                String.valueOf(topology.cluster()),
                Long.toString(topology.epoch()),
                Integer.toString(topology.replicationFactor()),
                Integer.toString(topology.partitions()),
                topology.reads().name(),
                members);
        return Math.max(1, Hashing.xxh3_64().hashCharsToLong(text) & Long.MAX_VALUE);
    }

    private static String text(Member member) {
        return String.join(
                BETWEEN,
                member.id(),
                member.api().toString(),
                member.peer().toString(),
                member.zone(),
                member.state().name(),
                Double.toString(member.weight()),
                String.valueOf(member.incarnation()));
    }
}
