package dev.kvorum.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.stream.Collectors;

/** The digest of a topology: the first eight bytes of SHA-256 of its fields. */
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
        return Math.max(1, ByteBuffer.wrap(sha256(text)).getLong() & Long.MAX_VALUE);
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

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
