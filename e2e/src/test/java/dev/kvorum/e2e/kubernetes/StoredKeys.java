package dev.kvorum.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.record.Endpoint;
import dev.kvorum.history.Operation;
import java.util.ArrayList;
import java.util.List;

/** Keys that are written before something happens, and must be there after. */
public final class StoredKeys {
    private static final int ATTEMPTS_MAX = 5;

    private final ManagedCluster cluster;
    private final EntityClient client;
    private final int count;
    private final List<List<String>> possible = new ArrayList<>(); // Values of each: one, unless it was written again.

    private StoredKeys(ManagedCluster cluster, int count) {
        this.cluster = cluster;
        this.client = new EntityClient(cluster.recorder());
        this.count = count;
    }

    /** Writes them, each through another node. One of which it is not known whether it was written is written again, as another value, through the next. */
    public static StoredKeys in(ManagedCluster cluster, int count) {
        StoredKeys keys = new StoredKeys(cluster, count);
        for (int i = 0; i < count; i++) {
            keys.possible.add(keys.write(i));
        }
        return keys;
    }

    /** @return what may be there since then: the last, which is acknowledged, or one before that was stamped later by a node that was held up */
    private List<String> write(int number) {
        List<String> values = new ArrayList<>();
        Reply reply;
        do {
            int attempt = values.size();
            values.add(client.fresh(attempt == 0 ? "" + number : number + "-" + attempt));
            reply = client.put(endpoint(number + attempt), "stored-" + number, values.getLast(), Quorum.MAJORITY_OF_3);
        } while (!reply.isServed() && values.size() < ATTEMPTS_MAX);
        reply.expect(201);
        return values;
    }

    /** Reads all of them, each through another node. A node that is just ending may be asked in vain, then another one is. */
    public void assertAllThere() {
        for (int i = 0; i < count; i++) {
            Reply reply = read(i, "stored-" + i);
            assertThat(reply.answered().body()).isIn(possible.get(i));
        }
    }

    private Reply read(int number, String key) {
        Reply reply = client.get(endpoint(number), key, Quorum.MAJORITY_OF_3);
        for (int attempt = 1; attempt < ATTEMPTS_MAX && !reply.isServed(); attempt++) {
            reply = client.get(endpoint(number + attempt), key, Quorum.MAJORITY_OF_3);
        }
        return reply;
    }

    /** Reads every key that any client has written, so that the checker can tell of a loss that nobody has come upon. */
    static void readAll(ManagedCluster cluster) {
        List<String> written = cluster.recorder().history().operations().stream()
                .map(Operation::key)
                .distinct()
                .sorted()
                .toList();
        StoredKeys reader = new StoredKeys(cluster, written.size());
        for (int i = 0; i < written.size(); i++) {
            Reply reply = reader.read(i, written.get(i));
            assertThat(reply.isServed())
                    .as("%s is read: %s", written.get(i), reply)
                    .isTrue();
        }
    }

    private Endpoint endpoint(int number) {
        List<Endpoint> endpoints = cluster.endpoints();
        return endpoints.get(number % endpoints.size());
    }
}
