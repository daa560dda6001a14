package dev.kvorum.node.repair;

/** How the repair of one partition has ended. */
public sealed interface RepairOutcome {
    int partition();

    /** Cells that this node has got from others, and given to them. */
    Exchanged exchanged();

    /**
     * All members of the topology hold the same of what each two of them owe.
     *
     * @param at the millisecond since 1970 up to which versions were compared
     */
    record Verified(int partition, Exchanged exchanged, long at) implements RepairOutcome {}

    /** This node and all others hold the same of what it owes; but it can't verify it: it is not among the first two owners, or the second and can't see what the first may hold. */
    record Mended(int partition, Exchanged exchanged) implements RepairOutcome {}

    /**
     * Left to a member that can verify it, which this one can't.
     *
     * @param to its id
     */
    record HandedOver(int partition, String to) implements RepairOutcome {
        @Override
        public Exchanged exchanged() {
            return Exchanged.NOTHING;
        }
    }

    /**
     * Some member could not be compared to the end. What was exchanged until then has not been in vain.
     *
     * @param reason for a person, in a few words
     */
    record Incomplete(int partition, Exchanged exchanged, String reason) implements RepairOutcome {}
}
