package dev.kvorum.simulation.node;

import dev.kvorum.node.coordinator.Room;

/** Memory for the values that undecided reads hold: little, so that it runs out now and then. */
final class UndecidedValues implements Room {
    private static final long BYTES_MAX = 64 << 10;

    private long taken;

    @Override
    public boolean take(long bytes) {
        if (taken + bytes > BYTES_MAX) {
            return false;
        }
        taken += bytes;
        return true;
    }

    @Override
    public void giveBack(long bytes) {
        taken -= bytes;
    }

    long taken() {
        return taken;
    }
}
