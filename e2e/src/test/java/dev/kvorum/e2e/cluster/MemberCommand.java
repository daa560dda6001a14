package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The commands by which members are changed, run as users run them: from the node's image, on the network of the nodes. */
final class MemberCommand {
    private static final long MEMORY_BYTES = 256 << 20;
    private static final Duration TAKES_MAX = Duration.ofMinutes(8);

    private MemberCommand() {}

    /** Runs it and answers with what it said; fails where it was refused or failed. Blocks. */
    static String run(Subnet subnet, String... command) {
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode(subnet.network().getId())
                .withReadonlyRootfs(true)
                .withTmpFs(Map.of(NodeContainer.DATA, "")) // Else the image's volume would be made for it.
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withMemory(MEMORY_BYTES);
        return new Errand(Engine.nodeImage(), host, NodeContainer.USER, TAKES_MAX)
                .run(command)
                .printedIfDone(command);
    }
}
