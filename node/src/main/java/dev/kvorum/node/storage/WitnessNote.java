package dev.kvorum.node.storage;

import java.io.IOException;
import java.util.Optional;

/** What a member has noted of other members' directories. Both may block. */
public interface WitnessNote {
    /** Empty if nothing was noted, or it can't be read. */
    Optional<String> witnessed();

    /** Takes the place of what was noted before, and is on the disk when this returns. */
    void noteWitnessed(String note) throws IOException;
}
