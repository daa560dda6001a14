package dev.kvorum.load.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts TCP connections to the nodes' peer ports by the client ports seen in the kernel's table. A closed connection stays there for up
 * to a minute, so that looking each second misses few; a client port that is used again within the run is missed: a lower bound.
 */
final class PeerConnections {
    private static final Pattern ADDRESSES =
            Pattern.compile("\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) .*");
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private final Set<Integer> peerPorts;
    private final Set<Long> before;
    private final Set<Long> seen = new HashSet<>();

    PeerConnections(List<Integer> peerPorts) {
        this.peerPorts = Set.copyOf(peerPorts);
        this.before = current();
    }

    synchronized void look() {
        seen.addAll(current());
        seen.removeAll(before);
    }

    synchronized long opened() {
        return seen.size();
    }

    private Set<Long> current() {
        Set<Long> connections = new HashSet<>();
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    addPeer(line, connections);
                }
            } catch (IOException _) {
                // A machine without IPv6 has no second table.
            }
        }
        return connections;
    }

    private void addPeer(String line, Set<Long> connections) {
        Matcher ports = ADDRESSES.matcher(line);
        if (ports.matches()) {
            int local = Integer.parseInt(ports.group(1), 16);
            int remote = Integer.parseInt(ports.group(2), 16);
            // Each connection is in the table twice while it is open, and once after it was closed, on either side.
            if (remote != 0 && peerPorts.contains(remote)) {
                connections.add((long) remote << 16 | local);
            } else if (remote != 0 && peerPorts.contains(local)) {
                connections.add((long) local << 16 | remote);
            }
        }
    }
}
