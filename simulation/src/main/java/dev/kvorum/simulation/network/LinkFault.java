package dev.kvorum.simulation.network;

/**
 * What is wrong with a link for a time. Several may be at once.
 *
 * @param cuts all messages are lost
 * @param clogs messages wait until this is over, and then arrive in any order
 * @param full no more calls are taken: they fail at once
 * @param loss how likely a message is lost
 * @param duplication how likely one arrives twice
 * @param delayMax how much longer one takes at most, in nanoseconds
 */
public record LinkFault(boolean cuts, boolean clogs, boolean full, double loss, double duplication, long delayMax) {
    private static final LinkFault NONE = new LinkFault(false, false, false, 0, 0, 0);

    public static LinkFault cut() {
        return new LinkFault(true, false, false, 0, 0, 0);
    }

    public static LinkFault clog() {
        return new LinkFault(false, true, false, 0, 0, 0);
    }

    public static LinkFault overflow() {
        return new LinkFault(false, false, true, 0, 0, 0);
    }

    public static LinkFault loss(double probability) {
        return new LinkFault(false, false, false, probability, 0, 0);
    }

    public static LinkFault duplication(double probability) {
        return new LinkFault(false, false, false, 0, probability, 0);
    }

    public static LinkFault delay(long nanosMax) {
        return new LinkFault(false, false, false, 0, 0, nanosMax);
    }

    /** Both at once. */
    LinkFault and(LinkFault other) {
        return new LinkFault(
                cuts || other.cuts,
                clogs || other.clogs,
                full || other.full,
                Math.max(loss, other.loss),
                Math.max(duplication, other.duplication),
                Math.max(delayMax, other.delayMax));
    }

    static LinkFault all(Iterable<LinkFault> faults) {
        LinkFault sum = NONE;
        for (LinkFault fault : faults) {
            sum = sum.and(fault);
        }
        return sum;
    }
}
