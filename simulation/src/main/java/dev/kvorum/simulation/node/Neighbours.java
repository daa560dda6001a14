package dev.kvorum.simulation.node;

import dev.kvorum.node.core.Witnesses;

/** Other machines, as one that starts meets them. */
interface Neighbours extends Witnesses {
    /** What this machine held is not used any more, as others have outlived it. */
    void outlived();
}
