package dev.kvorum.node.config;

/**
 * Divides the files that the process may open among RocksDB and the connections of the three ports, so that none of them can take what another needs.
 *
 * @param process files that the process may open
 * @param database files for RocksDB
 * @param clients connections of clients
 * @param peers connections of other members to this node
 * @param management connections to the management port
 */
public record FileBudget(long process, long database, int clients, int peers, int management) {
    /** For the process itself: its jars, logs, threads' pipes, and its own connections to other members. */
    static final int RESERVE = 256;

    private static final int CONNECTIONS_MIN = 16;
    private static final int MANAGEMENT_MAX = 128;
    private static final int MANAGEMENT_PARTS = 8;
    private static final int PEER_PARTS = 4;

    /** Fails with {@link ContradictorySettingsException} if the process may open too few files for that. */
    public static FileBudget of(StorageSettings storage, HttpSettings http, ManagementSettings management) {
        return of(ProcessFiles.max(), storage, http, management);
    }

    static FileBudget of(long process, StorageSettings storage, HttpSettings http, ManagementSettings management) {
        long database = storage.filesOf(process);
        long left = process - RESERVE - database;
        int ofManagement = given(management.connectionsMax(), left / MANAGEMENT_PARTS, MANAGEMENT_MAX);
        int ofPeers = given(http.peerConnectionsMax(), left / PEER_PARTS, http.peerConnections());
        int ofClients = given(http.connectionsMax(), left - ofManagement - ofPeers, http.connections());
        FileBudget budget = new FileBudget(process, database, ofClients, ofPeers, ofManagement);
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
        long needed = RESERVE + database + clients + peers + management;
        if (needed > process) {
            throw new ContradictorySettingsException("the process may open " + process
                    + " files (ulimit -n), but needs " + needed + ": " + RESERVE + " for itself, " + database
                    + " for RocksDB (kvorum.storage.open-files), " + clients
                    + " for clients (kvorum.http.connections-max), " + peers
                    + " for other members (kvorum.http.peer-connections-max) and " + management
                    + " for management (kvorum.management.connections-max)");
        }
    }
}
