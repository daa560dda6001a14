package dev.kvorum.load.chaos.copies;

import java.net.URI;

/**
 * A node whose disk is asked.
 *
 * @param api  where it serves clients
 * @param peer where it serves other members
 */
public record Source(String id, URI api, URI peer) {}
