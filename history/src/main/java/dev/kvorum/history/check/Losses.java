package dev.kvorum.history.check;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The disks that have lost something, the first to lose it first. A write is promised to survive while they are fewer than those that acknowledged it. */
final class Losses {
    private final List<DiskLoss> losses;

    private final boolean areRebuilt;

    /** @param areRebuilt whether a disk that lost all, or the end of what it had taken, is given that again before it answers a read */
    Losses(List<DiskLoss> losses, boolean areRebuilt) {
        this.losses =
                losses.stream().sorted(Comparator.comparingLong(DiskLoss::at)).toList();
        this.areRebuilt = areRebuilt;
    }

    /**
     * What it means for one key. Where its writes ask for different numbers of copies, a disk that is rebuilt is not given what was overwritten, nor what has overwritten
     * it if that asked for too few copies to be there.
     */
    Losses of(KeyHistory key) {
        return key.mixesCopies()
                ? new Losses(losses.stream().map(DiskLoss::withoutEnd).toList(), false)
                : this;
    }

    /** The losses as they were known after each of them, from none on. */
    List<Losses> prefixes() {
        return IntStream.rangeClosed(0, losses.size())
                .mapToObj(count -> new Losses(losses.subList(0, count), areRebuilt))
                .toList();
    }

    /** How many had happened by then: what is lost later no operation that has ended can have missed. */
    int until(long time) {
        return (int) losses.stream().filter(loss -> loss.at() <= time).count();
    }

    /**
     * How many of the replicas that answered an operation still have what they had then, at least, or had it at the worst time if lost disks regain it; may be negative.
     */
    int ackLeft(Operation operation) {
        if (losses.isEmpty()) {
            return operation.request().ack();
        }
        List<DiskLoss> concerning =
                losses.stream().filter(loss -> loss.concerns(operation)).toList();
        return operation.request().ack() - mostAtATime(concerning);
    }

    /** How many disks lacked it at the worst time. What a disk has regained it can give to others that lose it later. */
    private static int mostAtATime(List<DiskLoss> losses) {
        int most = 0;
        for (DiskLoss last : losses) {
            long together = losses.stream()
                    .filter(loss -> loss.isOpenAt(last.at()))
                    .map(DiskLoss::node)
                    .distinct()
                    .count();
            most = Math.max(most, (int) together);
        }
        return most;
    }

    /**
     * How many of the replicas that answered an operation and hold what it is about answer a read with that, or do not answer it, at least; may be negative. A disk that
     * was lost is rebuilt from those who hold it, if any is left.
     *
     * @param others how many of those that answered do not hold it
     */
    int ackCounted(Operation operation, int others) {
        int left = ackLeft(operation) - others;
        return areRebuilt && left > 0 ? operation.request().ack() - others : left;
    }

    /** Whether the node that served both has lost all of its disk since the first was sent. */
    boolean isWipedBetween(Operation earlier, Operation later) {
        return losses.stream()
                .anyMatch(loss -> loss.node().equals(later.node())
                        && loss.isWhole()
                        && loss.at() >= earlier.invoked()
                        && loss.at() <= later.returned());
    }
}
