import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** etcd by jetcd, with linearizable reads: one gRPC connection to each member, which a third of the callers share. */
final class EtcdStore implements Store {
    private final List<Client> clients;
    private final List<KV> members;

    EtcdStore(List<String> members) {
        this.clients = members.stream()
                .map(member -> Client.builder().endpoints("http://" + member).build())
                .toList();
        this.members = clients.stream().map(Client::getKVClient).toList();
    }

    @Override
    public void prepare() throws Exception {
        for (int caller = 0; caller < members.size(); caller++) {
            int number = caller;
            Patience.until("member " + (caller + 1) + " of etcd takes writes", () -> {
                put(number, "probe", new byte[1]);
                return true;
            });
        }
    }

    @Override
    public void put(int caller, String key, byte[] value) throws Exception {
        var _ = of(caller)
                .put(bytes(key), ByteSequence.from(value))
                .get(Patience.REQUEST.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public byte[] get(int caller, String key) throws Exception {
        List<KeyValue> found =
                of(caller).get(bytes(key)).get(Patience.REQUEST.toSeconds(), TimeUnit.SECONDS).getKvs();
        return found.getFirst().getValue().getBytes();
    }

    private KV of(int caller) {
        return members.get(caller % members.size());
    }

    private static ByteSequence bytes(String key) {
        return ByteSequence.from(key.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }
}
