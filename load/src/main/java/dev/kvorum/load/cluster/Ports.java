package dev.kvorum.load.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Ports that nothing listens on, below those that the kernel gives to clients: between the choice and the node's start some other
 * connection must not get one of them.
 */
final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES_MAX = 10_000;

    private Ports() {}

    /** All different. */
    static List<Integer> free(int count) throws IOException {
        Random random = new Random();
        Set<Integer> free = new LinkedHashSet<>();
        for (int tries = 0; free.size() < count; tries++) {
            if (tries == TRIES_MAX) {
                throw new IOException("There are no " + count + " free ports from " + LOWEST + " to " + HIGHEST + ".");
            }
            int port = random.nextInt(LOWEST, HIGHEST);
            if (isFree(port)) {
                free.add(port);
            }
        }
        return List.copyOf(free);
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
