package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A replica that is slow to reach: what others send it is late. The cluster has to be behind proxies. */
public final class Delay implements Fault {
    private final Toxic toxic;

    private Delay(Toxic toxic) {
        this.toxic = toxic;
    }

    public static Delay of(Cluster cluster, Node node, Duration late) {
        Proxy proxy = cluster.proxies().of(node);
        try {
            return new Delay(proxy.toxics().latency("late", ToxicDirection.UPSTREAM, late.toMillis()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            toxic.remove();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
