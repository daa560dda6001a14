package dev.kvorum.node.http.client;

import dev.kvorum.node.consensus.Condition;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/**
 * The conditions of a request, from its headers.
 *
 * <p>Source: RFC 9110, sections 8.8.3 and 13.1. What it lets a server pass over as never matching, a weak entity tag in {@code If-Match}, is refused here: whoever
 * sends one does not mean a write that can never be done.
 */
final class Conditions {
    private static final int TAGS_MAX = 64;
    private static final String RIGHT =
            "; it must be * or a list of ETags as GET answers them, such as \"01a1fe425028000076ff4071f97f69d2\"";

    private Conditions() {}

    /**
     * That of a write; {@link Condition.None} if there is none.
     *
     * @throws RefusedRequestException if it is none that can be told
     */
    static Condition of(HttpHeaders headers) {
        Condition match = match(headers);
        Condition noneMatch = noneMatch(headers);
        if (match instanceof Condition.None) {
            return noneMatch;
        }
        if (!(noneMatch instanceof Condition.None)) {
            throw refused("If-Match and If-None-Match are both given; a write has one of them");
        }
        return match;
    }

    /**
     * What {@code If-Match} asks for; {@link Condition.None} if it is not given.
     *
     * @throws RefusedRequestException if that can't be told
     */
    static Condition match(HttpHeaders headers) {
        List<String> match = headers.getOrEmpty(HttpHeaders.IF_MATCH);
        return match.isEmpty()
                ? new Condition.None()
                : new Tags(HttpHeaders.IF_MATCH, String.join(",", match), false).match();
    }

    /**
     * What {@code If-None-Match} asks for; {@link Condition.None} if it is not given.
     *
     * @throws RefusedRequestException if that can't be told
     */
    static Condition noneMatch(HttpHeaders headers) {
        List<String> noneMatch = headers.getOrEmpty(HttpHeaders.IF_NONE_MATCH);
        return noneMatch.isEmpty()
                ? new Condition.None()
                : new Tags(HttpHeaders.IF_NONE_MATCH, String.join(",", noneMatch), true).noneMatch();
    }

    private static RefusedRequestException refused(String detail) {
        return RefusedRequestException.of(Problem.badRequest("invalid-condition", detail));
    }

    /** One header's list: entity tags with commas between them, and white space around these. */
    private static final class Tags {
        private final String header;
        private final String text;
        private final boolean takesWeak;
        private final Set<String> tags = new LinkedHashSet<>();
        private int at;

        Tags(String header, String text, boolean takesWeak) {
            this.header = header;
            this.text = text;
            this.takesWeak = takesWeak;
        }

        Condition match() {
            return isAny() ? new Condition.Present() : new Condition.OneOf(read());
        }

        Condition noneMatch() {
            return isAny() ? new Condition.Absent() : new Condition.NoneOf(read());
        }

        private boolean isAny() {
            return text.strip().equals("*");
        }

        private Set<String> read() {
            skip();
            while (at < text.length()) {
                tags.add(tag());
                if (tags.size() > TAGS_MAX) {
                    throw refused(header + " has more than " + TAGS_MAX + " ETags");
                }
                if (at < text.length() && text.charAt(at) != ',' && !isSpace(text.charAt(at))) {
                    throw malformed();
                }
                int end = at;
                skip();
                if (at < text.length() && text.substring(end, at).indexOf(',') < 0) {
                    throw malformed();
                }
            }
            if (tags.isEmpty()) {
                throw malformed();
            }
            return tags;
        }

        /** White space and commas; empty elements of a list mean nothing. */
        private void skip() {
            while (at < text.length() && (isSpace(text.charAt(at)) || text.charAt(at) == ',')) {
                at++;
            }
        }

        private String tag() {
            if (text.startsWith("W/", at)) {
                if (!takesWeak) {
                    throw refused(
                            header + " has the weak ETag " + text.substring(at).strip()
                                    + ", which matches nothing: versions are compared exactly" + RIGHT);
                }
                at += 2;
            }
            if (at >= text.length() || text.charAt(at) != '"') {
                throw malformed();
            }
            int end = text.indexOf('"', at + 1);
            if (end < 0) {
                throw malformed();
            }
            String tag = text.substring(at + 1, end);
            if (!tag.chars().allMatch(c -> c == 0x21 || (c >= 0x23 && c != 0x7F))) {
                throw malformed();
            }
            at = end + 1;
            return tag;
        }

        private static boolean isSpace(char c) {
            return c == ' ' || c == '\t';
        }

        private RefusedRequestException malformed() {
            return refused(header + " is \"" + text + "\"" + RIGHT);
        }
    }
}
