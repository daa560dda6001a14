package dev.kvorum.node.repair;

/**
 * What two copies gave each other.
 *
 * @param pulled cells that this node got
 * @param pushed cells that it gave
 * @param bytes of lists and cells
 * @param lacked when the first of these cells had ended, in milliseconds since 1970: this run does not drop it; {@link Long#MAX_VALUE} if none ends
 * @param ahead whether one of them holds something that the other was not given, as its version is further ahead than clocks may be: every member would refuse it
 * @param unseen whether one of them holds what may be older than something ended that neither of them sees
 */
public record Exchanged(long pulled, long pushed, long bytes, long lacked, boolean ahead, boolean unseen) {
    static final Exchanged NOTHING = new Exchanged(0, 0, 0, Long.MAX_VALUE, false, false);

    Exchanged plus(Exchanged other) {
        return new Exchanged(
                pulled + other.pulled,
                pushed + other.pushed,
                bytes + other.bytes,
                Math.min(lacked, other.lacked),
                ahead || other.ahead,
                unseen || other.unseen);
    }
}
