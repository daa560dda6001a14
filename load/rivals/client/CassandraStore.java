import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** Cassandra at QUORUM by Apache's driver, which sends a request to an owner of its key: all callers share its one connection to each node. */
final class CassandraStore implements Store {
    private final List<String> nodes;
    private CqlSession session;
    private PreparedStatement write;
    private PreparedStatement read;

    CassandraStore(List<String> nodes) {
        this.nodes = nodes;
    }

    @Override
    public void prepare() throws Exception {
        Patience.until("Cassandra takes a session", () -> {
            session = connect();
            return true;
        });
        Patience.until("Cassandra has three nodes that are up", () -> session.refreshSchema() != null
                && session.getMetadata().getNodes().values().stream()
                                .filter(node -> node.getState() == NodeState.UP)
                                .count()
                        == nodes.size());
        var _ = session.execute("CREATE KEYSPACE IF NOT EXISTS rivals WITH replication = "
                + "{'class': 'SimpleStrategy', 'replication_factor': 3}");
        var _ = session.execute("CREATE TABLE IF NOT EXISTS rivals.entity (id text PRIMARY KEY, value blob)");
        write = session.prepare("INSERT INTO rivals.entity (id, value) VALUES (?, ?)");
        read = session.prepare("SELECT value FROM rivals.entity WHERE id = ?");
        Patience.until("Cassandra takes writes", () -> {
            put(0, "probe", new byte[1]);
            return true;
        });
    }

    private CqlSession connect() {
        List<InetSocketAddress> contacts = nodes.stream()
                .map(node -> node.split(":", 2))
                .map(parts -> new InetSocketAddress(parts[0], Integer.parseInt(parts[1])))
                .toList();
        return CqlSession.builder()
                .addContactPoints(contacts)
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Patience.REQUEST)
                        .build())
                .build();
    }

    @Override
    public void put(int caller, String key, byte[] value) {
        var _ = session.execute(write.bind(key, ByteBuffer.wrap(value)));
    }

    @Override
    public byte[] get(int caller, String key) {
        Row row = session.execute(read.bind(key)).one();
        if (row == null) {
            throw new IllegalStateException("There is no " + key);
        }
        return Bytes.getArray(row.getByteBuffer(0));
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
    }
}
