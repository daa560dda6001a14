package dev.kvorum.node.storage;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** What a member knows of itself from one life to the next, beside the data that it {@linkplain Store stores}. All methods but {@link #tenure} may block. */
public interface MemberDirectory extends WitnessNote {
    /** Tells this directory from any that the same member had before it. */
    UUID incarnation();

    /** When it was made, in milliseconds since 1970; 0 if it does not say so. */
    long created();

    /** When what the member held was set aside, in milliseconds since 1970; 0 if it never was. */
    long rebuilding();

    /** Before when the last of what it holds may be missing, by a power cut, in milliseconds since 1970; 0 if nothing is. What was synced is there: promises, above all. */
    long incomplete();

    /** As {@link #incomplete}, as it was before this start. */
    long formerlyIncomplete();

    /** Where it is, for people. */
    String place();

    /**
     * Whether the machine has stopped while a node ran here that acknowledged writes before they were on the disk. A power cut does that, a crash of the kernel, and a disk that was
     * moved to another machine. Then the last writes may be missing. False where the system does not say so.
     */
    boolean wasCutOff();

    /** The last topology that was kept, as JSON; empty if none was. */
    Optional<byte[]> lastTopology();

    /** Keeps a topology that comes into force: no later life of this node goes by an older one. */
    void keepTopology(byte[] json);

    /** What was kept as the last topology can't be read. */
    RuntimeException damagedTopology(Exception cause);

    /** The epoch since which this member has taken part without a break, as it was noted last; 0 if it never had one. Does not block: each step of a register asks for it. */
    long tenure();

    /** Notes that a break has ended with that epoch. */
    void noteTenure(long epoch);

    /** The number of this start, above all before it: no two starts of this member have the same, whatever fails, and whichever copy of the directory they find. */
    long start();

    /** When this member was alive, as it was noted last; empty if it never was. */
    Optional<Alive> lastAlive();

    /** Notes that it is alive. */
    void noteAlive(Alive alive) throws IOException;

    /** Bytes that the disk has room for beside what is on it. */
    long usableBytes() throws IOException;

    /**
     * When a member was alive, in milliseconds since 1970.
     *
     * @param since without a long absence
     */
    record Alive(long since, long last) {
        /**
         * Reads what {@link #toString} has written.
         *
         * @throws IllegalArgumentException if it is nothing of the kind
         */
        public static Alive parse(String text) {
            String[] times = text.strip().split(" ", -1);
            if (times.length != 2) {
                throw new IllegalArgumentException("it should have two numbers");
            }
            return new Alive(Long.parseLong(times[0]), Long.parseLong(times[1]));
        }

        @Override
        public String toString() {
            return since + " " + last;
        }
    }
}
