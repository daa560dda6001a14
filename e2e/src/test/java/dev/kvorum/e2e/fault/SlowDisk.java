package dev.kvorum.e2e.fault;

import com.github.dockerjava.api.model.BlkioRateDevice;
import dev.kvorum.e2e.cluster.Engine;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.Sidecar;
import java.util.List;

/**
 * A disk that takes few writes per second, by the engine's own limit. It can be set only when a container is made, so the node is stopped and
 * made again on its volume, and again in the end. Only what waits for the disk is slow: a node that brings each commit there.
 */
public final class SlowDisk implements Fault {
    private final Node node;

    private SlowDisk(Node node) {
        this.node = node;
    }

    public static SlowDisk of(Node node, long writesPerSecond) {
        String device = deviceOfVolumes(node);
        node.stop();
        node.remove();
        node.create(host -> host.withBlkioDeviceWriteIOps(
                List.of(new BlkioRateDevice().withPath(device).withRate(writesPerSecond))));
        node.awaitReady();
        return new SlowDisk(node);
    }

    /** The whole disk under the volumes, not its partition: limits are of disks. */
    private static String deviceOfVolumes(Node node) {
        String device = Sidecar.onDiskOf(node, "sh", "-c", """
                        source=$(findmnt --noheadings --nofsroot --output SOURCE --target /data)
                        block=/sys/class/block/${source##*/}
                        if [ -e "$block/partition" ]; then
                            source=/dev/$(basename "$(dirname "$(readlink -f "$block")")")
                        fi
                        echo "$source"
                        """).trim();
        if (!device.startsWith("/dev/")) {
            throw new IllegalStateException(
                    "Volumes of " + Engine.docker().infoCmd().exec().getName() + " are on \"" + device
                            + "\", which is no disk whose writes can be limited.");
        }
        return device;
    }

    @Override
    public void close() {
        node.stop();
        node.remove();
        node.create();
        node.awaitReady();
    }
}
