package dev.kvorum.node.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ports that nobody listens on, none given out twice, below those that the kernel gives to clients: between the choice and the
 * node's start, and while a node is stopped, some other connection must not get one of them.
 */
public final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES_MAX = 10_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** One more. */
    public static int free() {
        Random random = new Random();
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            int port = random.nextInt(LOWEST, HIGHEST);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("There is no free port from " + LOWEST + " to " + HIGHEST + ".");
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
