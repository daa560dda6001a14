package dev.kvorum.node.scrub;

import org.jspecify.annotations.Nullable;

/**
 * What a scrub is doing.
 *
 * @param running whether a walk is under way; one that waits to read again what it could not read is not
 * @param progress how far it is, from 0 to 1; 0 if none is
 * @param completed when the last walk had read all, in milliseconds since 1970; null if none ever was
 * @param found by the walk that is not completed, or else by the last one, whichever lives of the node carried it out
 * @param ahead cells with versions too far ahead that it has found
 */
public record ScrubStatus(
        boolean running, double progress, @Nullable Long completed, ScrubFindings found, long ahead) {}
