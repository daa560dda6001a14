package dev.kvorum.node.config;

/**
 * Divides the files that the process may open: among RocksDB, the node's connections to other members, and the connections of the three ports. None of
 * them can take what another needs.
 *
 * @param process files that the process may open
 * @param database files for RocksDB
 * @param members how many other members there is room for
 * @param calls connections of this node to those members
 * @param clients connections of clients
 * @param peers connections of other members to this node
 * @param management connections to the management port
 */
public record FileBudget(long process, long database, int members, int calls, int clients, int peers, int management) {
    /** For the process itself: its jars, logs, event loops, and connections that it has just accepted or refused. */
    static final int RESERVE = 240;

    private static final int MEMBERS_GROWTH = 2; // Times as many may there be in the life of a process.
    private static final int MEMBERS_MIN = 4;

    private static final int CONNECTIONS_MIN = 16;
    private static final int MANAGEMENT_MAX = 128;
    private static final int MANAGEMENT_PARTS = 8;
    private static final int PEER_PARTS = 4;

    /**
     * Fails with {@link ContradictorySettingsException} if the process may open too few files for that.
     *
     * @param others the other members
     */
    public static FileBudget of(
            StorageSettings storage, HttpSettings http, ManagementSettings management, PeerSettings peer, int others) {
        return of(ProcessFiles.max(), storage, http, management, peer, others);
    }

    static FileBudget of(
            long process,
            StorageSettings storage,
            HttpSettings http,
            ManagementSettings management,
            PeerSettings peer,
            int others) {
        long database = storage.filesOf(process);
        int members = Math.max(MEMBERS_MIN, others * MEMBERS_GROWTH);
        int calls = members * peer.connections(http);
        long left = process - RESERVE - database - calls;
        int ofManagement = given(management.connectionsMax(), left / MANAGEMENT_PARTS, MANAGEMENT_MAX);
        int ofPeers = given(peer.connectionsMax(), left / PEER_PARTS, peer.accepted());
        int ofClients = given(http.connectionsMax(), left - ofManagement - ofPeers, http.connections());
        FileBudget budget = new FileBudget(process, database, members, calls, ofClients, ofPeers, ofManagement);
        budget.requireRoom();
        return budget;
    }

    private static int given(int set, long room, int wanted) {
        return set == 0 ? Math.clamp(room, CONNECTIONS_MIN, wanted) : set;
    }

    /** Whether a larger limit of files would allow more connections of clients. */
    public boolean isShort(HttpSettings http) {
        return clients < http.connections();
    }

    private void requireRoom() {
        long needed = RESERVE + database + calls + clients + peers + management;
        if (needed > process) {
            throw new ContradictorySettingsException("the process may open " + process
                    + " files (ulimit -n), but needs " + needed + ": " + RESERVE + " for itself, " + database
                    + " for RocksDB (kvorum.storage.open-files), " + calls
                    + " for its connections to other members (kvorum.peer.connections), "
                    + clients
                    + " for clients (kvorum.http.connections-max), " + peers
                    + " for other members (kvorum.peer.connections-max) and " + management
                    + " for management (kvorum.management.connections-max)");
        }
    }
}
