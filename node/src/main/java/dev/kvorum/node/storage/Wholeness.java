package dev.kvorum.node.storage;

/** Whether what was found on a disk is all that is known to have been there. */
public final class Wholeness {
    private Wholeness() {}

    /**
     * A log never ends below its mark: that is raised behind each sync, and says no more than was synced.
     *
     * @param database in words
     * @param last number of the last write that was found
     * @param noted by the mark: number of the last write that is known to be on the disk
     * @param remedy what a person can do about it
     * @throws LostDataException if the database ends below its mark
     */
    public static void requireSynced(String database, long last, long noted, String remedy) {
        if (last < noted) {
            throw new LostDataException(
                    database + " has lost the last " + (noted - last)
                            + " writes that were on the disk: its log or another of its files is damaged, missing or older",
                    remedy,
                    null);
        }
    }

    /**
     * Where others remember more, the database was put back from an older copy.
     *
     * @param database in words
     * @param written how many changes are on the disk at least
     * @param remembered how many other members remember; 0 if none does
     * @throws LostDataException if it has fewer than they remember
     */
    public static void requireRemembered(String database, long written, long remembered) {
        if (written < remembered) {
            throw new LostDataException(database + " is an older copy: it has " + written
                    + " changes, and other members remember " + remembered);
        }
    }
}
