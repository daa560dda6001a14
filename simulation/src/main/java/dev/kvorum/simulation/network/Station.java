package dev.kvorum.simulation.network;

import org.jspecify.annotations.Nullable;

/** What is found under an address: a machine, with a process or without. */
public interface Station {
    /** Whether the machine is up: one that is not says nothing at all. */
    boolean isUp();

    /** Where calls come in; null while no process listens, and then calls are refused. */
    @Nullable
    PeerDoor door();

    /** Where calls go out; null while there is no process. */
    @Nullable
    PeerLine line();
}
