package dev.kvorum.node.config;

import org.springframework.util.unit.DataSize;

/** What a limit of 0 stands for: a share of the heap. */
final class HeapShare {
    private static final int VALUES_MIN = 3; // That there is room for: as many replicas answer a read mostly.
    private static final long BESIDE_VALUE = 2 << 10; // Key, version and what else goes with one between members.

    private HeapShare() {}

    /** Bytes; an eighth of the heap for 0. */
    static long orEighth(DataSize size) {
        return size.toBytes() == 0 ? Runtime.getRuntime().maxMemory() / 8 : size.toBytes();
    }

    /** A number; for 0 one per so many bytes of heap, within bounds. */
    static int orPer(int bytesEach, int number, int min, int max) {
        return number == 0 ? Math.clamp(Runtime.getRuntime().maxMemory() / bytesEach, min, max) : number;
    }

    /** Where the longest value comes from, for a refusal. */
    static String thirdOf(String option) {
        return "a third of " + option + " less " + BESIDE_VALUE + "B";
    }

    /** The longest value of which a read has room for as many as it needs, in so many bytes. */
    static DataSize valueMax(long bytes) {
        return DataSize.ofBytes(bytes / VALUES_MIN - BESIDE_VALUE);
    }
}
