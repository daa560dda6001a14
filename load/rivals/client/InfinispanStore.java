import java.nio.charset.StandardCharsets;
import java.util.List;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.commons.marshall.IdentityMarshaller;

/** Infinispan by Hot Rod. The client sends a request to the primary owner of its key: a write waits for all three owners, a read asks that one. */
final class InfinispanStore implements Store {
    private static final String CACHE = "rivals";

    private final RemoteCacheManager manager;
    private final int servers;
    private RemoteCache<byte[], byte[]> cache;

    InfinispanStore(List<String> servers) {
        this.servers = servers.size();
        ConfigurationBuilder configuration = new ConfigurationBuilder();
        configuration.addServers(String.join(";", servers));
        configuration.marshaller(IdentityMarshaller.INSTANCE).socketTimeout((int) Patience.REQUEST.toMillis());
        this.manager = new RemoteCacheManager(configuration.build());
    }

    @Override
    public void prepare() throws Exception {
        Patience.until("Infinispan has three servers", () -> {
            cache = manager.getCache(CACHE);
            put(0, "probe", new byte[1]);
            return cache.getCacheTopologyInfo().getSegmentsPerServer().size() == servers;
        });
    }

    @Override
    public void put(int caller, String key, byte[] value) {
        var _ = cache.put(bytes(key), value);
    }

    @Override
    public byte[] get(int caller, String key) {
        byte[] value = cache.get(bytes(key));
        if (value == null) {
            throw new IllegalStateException("There is no " + key);
        }
        return value;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        manager.close();
    }
}
