package dev.kvorum.node.repair;

/**
 * What two copies gave each other.
 *
 * @param pulled cells that this node got
 * @param pushed cells that it gave
 * @param bytes of lists and cells
 * @param doubt whether there was one among them that the scope takes for ended, so that not everybody had it; or one of them holds what may be older than
 *     something ended that neither of them sees. Then nothing may be dropped
 */
public record Exchanged(long pulled, long pushed, long bytes, boolean doubt) {
    static final Exchanged NOTHING = new Exchanged(0, 0, 0, false);

    Exchanged plus(Exchanged other) {
        return new Exchanged(pulled + other.pulled, pushed + other.pushed, bytes + other.bytes, doubt || other.doubt);
    }
}
