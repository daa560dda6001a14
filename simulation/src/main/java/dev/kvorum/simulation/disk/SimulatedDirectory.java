package dev.kvorum.simulation.disk;

import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import dev.kvorum.topology.TopologyJson;
import java.util.Optional;
import java.util.UUID;

/** A member's directory on a simulated disk. What it keeps is on the disk at once: nothing of it is lost with the tail of the log. */
public final class SimulatedDirectory implements MemberDirectory {
    private final SimulatedDisk disk;
    private final String member;
    private final Stamp stamp;
    private final long formerlyIncomplete;
    private final long starts;

    private SimulatedDirectory(SimulatedDisk disk, String member, Stamp stamp, long formerlyIncomplete, long starts) {
        this.disk = disk;
        this.member = member;
        this.stamp = stamp;
        this.formerlyIncomplete = formerlyIncomplete;
        this.starts = starts;
    }

    /**
     * A member takes the disk for its own.
     *
     * @param wallMillis milliseconds since 1970, as the machine believes
     * @param life of the machine's node, which counts them all
     */
    public static SimulatedDirectory claim(SimulatedDisk disk, String member, long wallMillis, long life) {
        Stamp stamp = disk.claim(member, wallMillis);
        return new SimulatedDirectory(disk, member, stamp, stamp.incomplete(), disk.countStart(life));
    }

    /** What it holds is moved to where nobody uses it. */
    public SimulatedDirectory setAside(long wallMillis) {
        Stamp fresh = disk.setAside(member, wallMillis);
        return new SimulatedDirectory(disk, member, fresh, fresh.incomplete(), starts);
    }

    /** What it holds counts as incomplete from now on. */
    public SimulatedDirectory becomeIncomplete(long wallMillis) {
        return new SimulatedDirectory(
                disk, member, disk.becomeIncomplete(stamp, wallMillis), stamp.incomplete(), starts);
    }

    /** A node runs on it from now on. */
    public void noteRunning(Durability durability) {
        disk.noteRunning(durability == Durability.FSYNC);
    }

    /** Its node has ended in order. */
    public void noteEnded() {
        if (disk.brought() == disk.end()) {
            disk.noteEnded();
        }
    }

    @Override
    public String place() {
        return "of the simulated disk of " + member;
    }

    @Override
    public boolean wasCutOff() {
        return disk.wasCutOff();
    }

    @Override
    public UUID incarnation() {
        return stamp.incarnation();
    }

    @Override
    public long created() {
        return stamp.created();
    }

    @Override
    public long rebuilding() {
        return stamp.rebuilding();
    }

    @Override
    public long incomplete() {
        return stamp.incomplete();
    }

    @Override
    public long formerlyIncomplete() {
        return formerlyIncomplete;
    }

    @Override
    public Optional<byte[]> lastTopology() {
        return disk.lastTopology().map(TopologyJson::write);
    }

    @Override
    public void keepTopology(byte[] json) {
        disk.keepTopology(TopologyJson.read(json));
    }

    @Override
    public RuntimeException damagedTopology(Exception cause) {
        return new IllegalStateException("a simulated disk keeps topologies whole", cause);
    }

    @Override
    public long start() {
        return starts;
    }

    @Override
    public long tenure() {
        return disk.tenure();
    }

    @Override
    public void noteTenure(long epoch) {
        disk.noteTenure(epoch);
    }

    @Override
    public Optional<Alive> lastAlive() {
        return disk.lastAlive();
    }

    @Override
    public void noteAlive(Alive alive) {
        disk.noteAlive(alive);
    }

    @Override
    public Optional<String> witnessed() {
        return disk.witnessed();
    }

    @Override
    public void noteWitnessed(String note) {
        disk.noteWitnessed(note);
    }

    /** Nobody is told of room on simulated disks. */
    @Override
    public long usableBytes() {
        return 0;
    }
}
