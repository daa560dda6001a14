package dev.kvorum.node.repair;

import org.jspecify.annotations.Nullable;

/**
 * What repair is doing.
 *
 * @param running the partition that is being repaired; null if none is
 * @param waiting how many were asked for and wait for their turn
 * @param slowness why it goes slowly, if members have lately refused as they had too much to do; else empty
 * @param lastFailure why the last run that could not verify its partition could not; null if the last one could
 */
public record RepairStatus(
        @Nullable Integer running,
        int waiting,
        String slowness,
        @Nullable String lastFailure) {}
