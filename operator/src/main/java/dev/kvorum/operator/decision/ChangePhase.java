package dev.kvorum.operator.decision;

/** How far a change of the members is. */
public enum ChangePhase {
    /** The members are those that are asked for. */
    None,
    /** It can't begin, for a reason that somebody has to remove. */
    Refused,
    /** It can't begin yet. */
    Waiting,
    /** Its plan waits for a person. */
    AwaitingApproval,
    /** New nodes are starting. */
    Preparing,
    /** It is published; not everybody goes by it. */
    Beginning,
    /** Nodes pull what they will hold. */
    Transferring,
    /** Reads go to the next owners; not everybody has heard. */
    Switching,
    /** It is being taken back. */
    Cancelling,
    /** It is final, and what remains of former members is cleared away. */
    Finishing;

    /** Whether something is under way that {@code Scaling} should tell of. */
    public boolean isUnderWay() {
        return switch (this) {
            case None, Refused -> false;
            case Waiting, AwaitingApproval, Preparing, Beginning, Transferring, Switching, Cancelling, Finishing ->
                true;
        };
    }
}
