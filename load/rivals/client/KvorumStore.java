import java.io.IOException;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPut;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

/** Kvorum over HTTP, at 2/3, by Apache's client: each caller has a connection of its own to one of the nodes. */
final class KvorumStore implements Store {
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final List<String> nodes;
    private final CloseableHttpClient client;

    KvorumStore(List<String> nodes, int callers) {
        this.nodes = nodes;
        Timeout patience = Timeout.of(Patience.REQUEST);
        PoolingHttpClientConnectionManager connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(callers)
                .setMaxConnTotal(callers)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(patience)
                        .setSocketTimeout(patience)
                        .build())
                .build();
        this.client = HttpClients.createMinimal(connections);
    }

    @Override
    public void prepare() throws Exception {
        for (int caller = 0; caller < nodes.size(); caller++) {
            int number = caller;
            Patience.until(nodes.get(caller) + " takes writes", () -> {
                put(number, "probe", new byte[1]);
                return true;
            });
        }
    }

    @Override
    public void put(int caller, String key, byte[] value) throws IOException {
        HttpPut request = new HttpPut(uri(caller, key));
        request.setEntity(new ByteArrayEntity(value, ContentType.APPLICATION_OCTET_STREAM));
        var _ = exchange(request, CREATED);
    }

    @Override
    public byte[] get(int caller, String key) throws IOException {
        return exchange(new HttpGet(uri(caller, key)), OK);
    }

    private String uri(int caller, String key) {
        return "http://" + nodes.get(caller % nodes.size()) + "/v0/entity?ack=2&from=3&id=" + key;
    }

    private byte[] exchange(ClassicHttpRequest request, int expected) throws IOException {
        return client.execute(request, response -> {
            byte[] body = EntityUtils.toByteArray(response.getEntity());
            if (response.getCode() != expected) {
                throw new IOException(request + " is answered with " + response.getCode());
            }
            return body;
        });
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
