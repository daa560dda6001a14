package dev.kvorum.load.crowd;

import java.util.Locale;

/** A port of a node that strangers can crowd, and the requests that it takes. */
public enum CrowdedPort {
    CLIENTS("GET /v0/entity?id=stranger", "PUT /v0/entity?id=stranger"),
    PEERS("POST /replica/read", "POST /replica/read"),
    MANAGEMENT("GET /actuator/health", "POST /actuator/repair");

    private final String read;
    private final String write;

    CrowdedPort(String read, String write) {
        this.read = read;
        this.write = write;
    }

    /** As scenarios name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Method and target of a short request. */
    String read() {
        return read;
    }

    /** Method and target of one with a body. */
    String write() {
        return write;
    }
}
