package dev.kvorum.topology;

import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One node of the cluster, as the topology names it.
 *
 * @param id unique in the cluster, a DNS label; the tie-break of versions, so it is never given to another node
 * @param api where clients reach it
 * @param peer where the other members reach it
 * @param zone its failure domain: copies are spread over zones first
 * @param weight its share of the data relative to the others, above 0 and at most 1000; 1 unless told
 * @param incarnation the data directory that the topology knows the member by; null where the file does not say
 */
public record Member(
        String id,
        URI api,
        URI peer,
        String zone,
        MemberState state,
        double weight,
        @Nullable UUID incarnation) {
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final double WEIGHT_MAX = 1000;

    public Member {
        if (!DNS_LABEL.matcher(id).matches()) {
            throw new InvalidTopologyException(
                    "id \"" + id
                            + "\" is not a DNS label: use up to 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit");
        }
        requireHttp("api", api);
        requireHttp("peer", peer);
        if (zone.isBlank()) {
            throw new InvalidTopologyException("zone is blank: leave it out or name the failure domain");
        }
        if (!(weight > 0 && weight <= WEIGHT_MAX)) {
            throw new InvalidTopologyException("weight " + weight + " is not above 0 and at most " + WEIGHT_MAX);
        }
    }

    /** The data directory that the topology knows this member by; empty in hand-written files. */
    public Optional<UUID> knownIncarnation() {
        return Optional.ofNullable(incarnation);
    }

    private static void requireHttp(String field, URI address) {
        boolean complete = "http".equals(address.getScheme())
                && address.getHost() != null
                && address.getPort() > 0
                && address.getPort() <= 0xFFFF;
        if (!complete) {
            throw new InvalidTopologyException(
                    field + " \"" + address + "\" is not an address like http://10.0.0.7:9090, with host and port");
        }
    }
}
