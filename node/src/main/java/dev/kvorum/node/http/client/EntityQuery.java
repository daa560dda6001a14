package dev.kvorum.node.http.client;

import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an entity request: {@code id=K[&ack=A][&from=F][&consistency=C]}, each at most once and in any order.
 *
 * @param ack at least 1, or {@link QuorumPolicy#UNSAID}
 * @param from at least 1, or {@link QuorumPolicy#UNSAID}
 * @param consistency null where it is not said
 */
record EntityQuery(Key key, int ack, int from, @Nullable Consistency consistency) {
    private static final int DIGITS_MAX = 4;
    private static final String HINT = "; the parameters are id, ack, from and consistency";

    /**
     * Reads the query part of a request target, in which every percent-encoding is whole. As in web forms, a {@code +} is a space.
     *
     * @param query null where the target has none
     * @throws RefusedRequestException if it is not a query for an entity
     */
    static EntityQuery parse(@Nullable String query) {
        Key key = null;
        int ack = QuorumPolicy.UNSAID;
        int from = QuorumPolicy.UNSAID;
        Consistency consistency = null;
        String text = query == null ? "" : query;
        int begin = 0;
        while (begin < text.length()) {
            int end = text.indexOf('&', begin);
            end = end < 0 ? text.length() : end;
            int equals = text.indexOf('=', begin);
            if (equals < 0 || equals > end) {
                throw refused("parameter \"" + text.substring(begin, end) + "\" has no value" + HINT);
            }
            String name = text.substring(begin, equals);
            switch (name) {
                case "id" -> {
                    requireFirst(name, key == null);
                    key = key(text, equals + 1, end);
                }
                case "ack" -> {
                    requireFirst(name, ack == QuorumPolicy.UNSAID);
                    ack = number(name, text.substring(equals + 1, end));
                }
                case "from" -> {
                    requireFirst(name, from == QuorumPolicy.UNSAID);
                    from = number(name, text.substring(equals + 1, end));
                }
                case "consistency" -> {
                    requireFirst(name, consistency == null);
                    consistency = consistency(text.substring(equals + 1, end));
                }
                default -> throw refused("parameter \"" + name + "\" is not known" + HINT);
            }
            begin = end + 1;
        }
        if (key == null) {
            throw RefusedRequestException.of(
                    Problem.badRequest("invalid-id", "id is missing: ask for /v0/entity?id=KEY"));
        }
        return new EntityQuery(key, ack, from, consistency);
    }

    private static void requireFirst(String name, boolean first) {
        if (!first) {
            throw refused("parameter \"" + name + "\" is given twice");
        }
    }

    private static int number(String name, String digits) {
        int number = isDecimal(digits) ? Integer.parseInt(digits) : 0;
        if (number < 1) {
            throw refused(name + " is \"" + digits + "\", but must be a whole number from 1 to the number of members");
        }
        return number;
    }

    private static boolean isDecimal(String digits) {
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return false;
            }
        }
        return !digits.isEmpty() && digits.length() <= DIGITS_MAX;
    }

    private static Consistency consistency(String name) {
        return switch (name) {
            case "quorum" -> Consistency.QUORUM;
            case "linearizable" -> Consistency.LINEARIZABLE;
            default -> throw refused("consistency is \"" + name + "\", but must be quorum or linearizable");
        };
    }

    /** Whether it names its quorum, in whole or in part. */
    boolean saysQuorum() {
        return ack != QuorumPolicy.UNSAID || from != QuorumPolicy.UNSAID;
    }

    private static Key key(String query, int begin, int end) {
        try {
            return Key.ofUtf8(decode(query, begin, end));
        } catch (InvalidKeyException e) {
            throw RefusedRequestException.of(Problem.badRequest("invalid-id", "id can't be used: " + e.getMessage()));
        }
    }

    private static byte[] decode(String query, int begin, int end) {
        byte[] bytes = new byte[end - begin];
        int length = 0;
        for (int i = begin; i < end; i++) {
            char c = query.charAt(i);
            switch (c) {
                case '%' -> {
                    bytes[length++] = (byte)
                            (Character.digit(query.charAt(i + 1), 16) << 4 | Character.digit(query.charAt(i + 2), 16));
                    i += 2;
                }
                case '+' -> bytes[length++] = ' ';
                default -> bytes[length++] = (byte) c;
            }
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private static RefusedRequestException refused(String detail) {
        return RefusedRequestException.of(Problem.badRequest("invalid-parameter", detail));
    }
}
