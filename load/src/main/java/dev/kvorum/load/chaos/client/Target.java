package dev.kvorum.load.chaos.client;

import java.net.URI;
import java.util.function.IntSupplier;

/**
 * A node that clients know.
 *
 * @param life the how manieth process it is, from 1; changes before the next one serves, and after the one before has ended
 */
public record Target(String id, URI api, IntSupplier life) {}
