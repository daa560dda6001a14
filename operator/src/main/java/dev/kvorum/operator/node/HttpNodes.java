package dev.kvorum.operator.node;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks nodes over the peers' port, by HTTP/1.1 and JSON: {@code docs/peer-protocol.md}, "Changing the members". Any thread.
 *
 * <p>Whatever a node answers, or does not, it costs 3 s and 4 MiB at most: one that is sick, or hostile, keeps nobody from looking after the others.
 */
public final class HttpNodes implements ClusterNodes, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpNodes.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(3); // To the last byte of the answer.
    private static final int ANSWER_BYTES_MAX = 4 << 20; // What 65,536 partitions hold comes to less.
    private static final int OK_MIN = 200;
    private static final int OK_MAX = 299;
    private static final int CLIENT_ERROR_MAX = 499;

    // A newer node may tell more of itself than this operator knows.
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    @Override
    public Optional<MemberReport> report(Member member) {
        return get(member, "/v0/member", MemberReportJson::readReport);
    }

    @Override
    public Optional<Topology> topology(Member member) {
        return get(member, "/v0/topology", TopologyJson::read);
    }

    @Override
    public Optional<PartitionSizes> sizes(Member member) {
        return get(member, "/v0/sizes", MemberReportJson::readSizes);
    }

    @Override
    public Answer push(Member member, Topology topology) {
        byte[] json = TopologyJson.write(topology);
        byte[] call = ByteBuffer.allocate(Long.BYTES + json.length)
                .putLong(topology.epoch())
                .put(json)
                .array();
        return post(member, "/replica/topology", call, body -> adopted(topology, body));
    }

    /** As members send it to each other: a node may have missed some. It answers what it goes by then, which is another where it could not follow. */
    private static Answer adopted(Topology sent, byte[] body) {
        try {
            Topology present = TopologyJson.read(body);
            return present.equals(sent) || present.epoch() > sent.epoch()
                    ? new Answer.Done()
                    : new Answer.Refused("it goes by another topology, of epoch " + present.epoch()
                            + ", which that of epoch " + sent.epoch() + " can't follow");
        } catch (InvalidTopologyException e) {
            return new Answer.Unreachable("what it answered is no topology: " + e.getMessage());
        }
    }

    @Override
    public Answer settle(Member member, long epoch, List<String> gone) {
        byte[] told = JSON.writeValueAsBytes(Map.of("epoch", epoch, "gone", gone));
        return post(member, "/v0/settled", told, body -> new Answer.Done());
    }

    private <T> Optional<T> get(Member member, String path, Function<byte[], T> read) {
        try {
            HttpResponse<byte[]> response =
                    send(HttpRequest.newBuilder(at(member, path)).GET());
            if (isDone(response)) {
                return Optional.of(read.apply(response.body()));
            }
            LOG.debug("{} of {} was answered with {}", path, member.id(), refusal(response));
        } catch (IOException | InvalidTopologyException | IllegalArgumentException e) {
            LOG.debug("{} of {} could not be asked: {}", path, member.id(), e.toString());
        }
        return Optional.empty();
    }

    private Answer post(Member member, String path, byte[] body, Function<byte[], Answer> done) {
        try {
            HttpResponse<byte[]> response =
                    send(HttpRequest.newBuilder(at(member, path)).POST(BodyPublishers.ofByteArray(body)));
            if (isDone(response)) {
                return done.apply(response.body());
            }
            return response.statusCode() <= CLIENT_ERROR_MAX
                    ? new Answer.Refused(refusal(response))
                    : new Answer.Unreachable(refusal(response));
        } catch (IOException e) {
            return new Answer.Unreachable(e.toString());
        }
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
        // The timeout of a request ends with the head of its answer.
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no whole answer within " + TIMEOUT.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static URI at(Member member, String path) {
        return member.peer().resolve(path);
    }

    private static boolean isDone(HttpResponse<byte[]> response) {
        return response.statusCode() >= OK_MIN && response.statusCode() <= OK_MAX;
    }

    /** The detail of the problem, or what else there is. */
    private static String refusal(HttpResponse<byte[]> response) {
        String status = "HTTP " + response.statusCode();
        try {
            JsonNode problem = JSON.readTree(response.body());
            return problem.path("detail").stringValue(status);
        } catch (JacksonException e) {
            return status;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
