package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.node.repair.RepairProtocol;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.topology.Member;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Asks the other members, before this node has opened its database and its ports: over plain HTTP, which every member serves, by a client that is gone
 * afterwards.
 */
final class Witnesses {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private Witnesses() {}

    /** How long those have been alive who answer within some seconds. Blocks. */
    static List<MemberLife> ask(ClusterView view) {
        return askAll(view, PeerProtocol.REPAIR_LIFE, Witnesses::life);
    }

    /** What those answer to a call without a body who do so within some seconds. Blocks. */
    static <T> List<T> askAll(ClusterView view, String path, Function<HttpResponse<byte[]>, Optional<T>> read) {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build()) {
            List<CompletableFuture<Optional<T>>> answers = view.peers().stream()
                    .map(member -> client.sendAsync(request(member, path, view), BodyHandlers.ofByteArray())
                            .thenApply(read)
                            .exceptionally(e -> Optional.empty()))
                    .toList();
            return answers.stream()
                    .map(CompletableFuture::join)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private static HttpRequest request(Member member, String path, ClusterView view) {
        String cluster = view.topology().cluster();
        HttpRequest.Builder request = HttpRequest.newBuilder(member.peer().resolve(path))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(PeerProtocol.encodeEpoch(view.epoch())));
        if (cluster != null) {
            request.header(PeerProtocol.CLUSTER, cluster);
        }
        return request.build();
    }

    private static Optional<MemberLife> life(HttpResponse<byte[]> response) {
        try {
            return response.statusCode() == 200
                    ? Optional.of(RepairProtocol.decodeLife(response.body()))
                    : Optional.empty();
        } catch (MalformedCallException e) {
            return Optional.empty();
        }
    }
}
