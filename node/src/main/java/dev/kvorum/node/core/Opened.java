package dev.kvorum.node.core;

import dev.kvorum.node.storage.MemberDirectory;

/** The directory that a start has settled on, and the store in it. */
public record Opened<D extends MemberDirectory, S>(D directory, S store) {}
