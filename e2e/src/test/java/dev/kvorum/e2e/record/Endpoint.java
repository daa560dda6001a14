package dev.kvorum.e2e.record;

import java.net.URI;

/** A node as clients and their record know it. */
public interface Endpoint {
    /** Its id. */
    String id();

    /** Where it serves clients. */
    URI api();
}
