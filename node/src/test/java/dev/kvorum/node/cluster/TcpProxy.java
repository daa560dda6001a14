package dev.kvorum.node.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the peers' port of a node: what reaches the node can be delayed or held back, and its connections are
 * counted.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 << 10;

    private final ServerSocket server;
    private final int node;
    private volatile int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<String> endings = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private volatile Duration delay = Duration.ZERO;
    private final AtomicInteger generation = new AtomicInteger();
    private boolean frozen;

    /** @param node a port of this machine */
    public TcpProxy(int node) {
        this.node = node;
        this.target = node;
        try {
            this.server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** How many connections were opened so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Of each connection that has ended, in order: who ended it. */
    public List<String> endings() {
        return List.copyOf(endings);
    }

    /** Holds back each piece of data for so long, until closed. */
    public Fault delay(Duration by) {
        delay = by;
        return () -> delay = Duration.ZERO;
    }

    /** Holds back all data until closed, and then lets it through. */
    public Fault freeze() {
        setFrozen(true);
        return () -> setFrozen(false);
    }

    /** From now on swallows all data on the connections that are open, for ever; new ones work. */
    public void hangOpenConnections() {
        generation.incrementAndGet();
    }

    /** Leads to another node until closed, as a name does that points at the wrong machine. Ends the connections that are open, then and now. */
    public Fault leadTo(int otherNode) {
        lead(otherNode);
        return () -> lead(node);
    }

    private void lead(int port) {
        target = port;
        sockets.forEach(this::close);
    }

    private void setFrozen(boolean now) {
        lock.lock();
        try {
            frozen = now;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket in = server.accept();
                accepted.incrementAndGet();
                Thread.startVirtualThread(() -> connect(in));
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void connect(Socket in) {
        Socket out = new Socket();
        AtomicReference<@Nullable String> end = new AtomicReference<>();
        sockets.add(in);
        sockets.add(out);
        try {
            out.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            in.setTcpNoDelay(true);
            out.setTcpNoDelay(true);
            Thread back = Thread.startVirtualThread(() -> copy(out, in, false, end));
            copy(in, out, true, end);
            back.join();
        } catch (IOException e) {
            end.compareAndSet(null, "no connection to the node: " + e);
            close(in); // The node is down: whoever connects sees it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(in);
            close(out);
            endings.add(String.valueOf(end.get()));
        }
    }

    private void copy(Socket from, Socket to, boolean faulty, AtomicReference<@Nullable String> end) {
        int born = generation.get();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (faulty) {
                    hold();
                }
                if (born == generation.get()) {
                    out.write(chunk, 0, read);
                }
            }
            end.compareAndSet(null, faulty ? "its caller hung up" : "the node hung up");
        } catch (IOException | InterruptedException e) {
            end.compareAndSet(null, (faulty ? "on the way from its caller: " : "on the way from the node: ") + e);
            close(from); // One side has gone: so goes the other.
        } finally {
            close(to);
        }
    }

    private void hold() throws InterruptedException {
        Thread.sleep(delay); // The fault itself.
        lock.lock();
        try {
            while (frozen) {
                thawed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        setFrozen(false);
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(this::close);
    }
}
