package dev.kvorum.node.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.node.cluster.FaultyDisk;
import dev.kvorum.node.cluster.FaultyDisk.Call;
import dev.kvorum.node.cluster.FaultyDisk.Errno;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are started on file systems that can't keep their data. */
@Timeout(120)
@Tag("check")
class UnfitFileSystemsIT {
    private static final String REMEDY = " Put the directory on a local file system, such as ext4 or XFS.";

    @TempDir
    Path directory;

    private List<NodeProcess> nodes;

    @BeforeEach
    void name() throws IOException {
        nodes = List.of(
                new NodeProcess("n1", directory), new NodeProcess("n2", directory), new NodeProcess("n3", directory));
        List<Member> members = nodes.stream().map(NodeProcess::member).toList();
        Files.write(directory.resolve("topology.json"), TopologyJson.write(new Topology("unfit", 1, 3, 16, members)));
    }

    @AfterEach
    void end() {
        nodes.forEach(NodeProcess::close);
    }

    @Test
    void fileSystemThatCannotLockOrSyncIsRefusedInOneLineWithTheRemedy() throws IOException {
        FaultyDisk disk = new FaultyDisk(directory);
        disk.fail(Call.LOCK, Errno.ENOLCK, data(0));
        disk.fail(Call.SYNC, Errno.EINVAL, data(1));
        disk.fail(Call.SYNC, Errno.ENOSYS, data(2));

        List<Process> refused =
                nodes.stream().map(node -> node.launchIn(disk.environment())).toList();

        assertThat(refused)
                .allSatisfy(process ->
                        assertThat(process.onExit().join().exitValue()).isEqualTo(1));
        assertRefusal(0, "can't lock files: " + Errno.ENOLCK.text());
        assertRefusal(1, "can't bring files to the disk: " + Errno.EINVAL.text());
        assertRefusal(2, "can't bring files to the disk: " + Errno.ENOSYS.text());
    }

    private String data(int node) {
        return nodes.get(node).dataDirectory().toString();
    }

    private void assertRefusal(int node, String reason) {
        assertThat(nodes.get(node).output().lines().filter(line -> !line.startsWith("{")))
                .singleElement()
                .asString()
                .matches("This node can't start: the file system \\(.*\\) of the data directory .*")
                .endsWith("the data directory " + data(node) + " " + reason + "." + REMEDY);
        assertThat(nodes.get(node).dataDirectory()).isEmptyDirectory();
    }

    @Test
    void overlayThatCanDoBothIsOnlyWarnedOf() throws IOException {
        NodeProcess node = nodes.getFirst();
        Path merged = Files.createDirectory(node.dataDirectory());
        String layers = "lowerdir=" + Files.createDirectory(directory.resolve("lower")) + ",upperdir="
                + Files.createDirectory(directory.resolve("upper")) + ",workdir="
                + Files.createDirectory(directory.resolve("work"));
        assumeTrue(isDone("mount", "-t", "overlay", "-o", layers, "overlay", merged.toString()), "only root may mount");
        try {
            node.start();

            assertThat(node.output())
                    .containsOnlyOnce("is on an overlay file system")
                    .contains("mount a volume there");
        } finally {
            node.close();
            boolean _ = isDone("umount", "--lazy", merged.toString());
        }
    }

    private static boolean isDone(String... command) throws IOException {
        return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue() == 0;
    }
}
