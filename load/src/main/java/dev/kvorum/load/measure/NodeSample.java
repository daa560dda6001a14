package dev.kvorum.load.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a node held at some moment.
 *
 * @param atMillis    since the epoch
 * @param cpuMicros   user and system time since the process began
 * @param rssMiB      resident memory
 * @param heapMiB     used Java heap; null where it was not asked for
 * @param gcMillis    pauses of the collector since the process began, likewise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NodeSample(
        String node,
        long atMillis,
        long cpuMicros,
        double rssMiB,
        int threads,
        int descriptors,
        @Nullable Double heapMiB,
        @Nullable Double gcMillis) {}
