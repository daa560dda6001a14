package dev.kvorum.topology;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The specification of the peers' protocol says who owns what: what its tables work out is what the code does. */
class OwnersDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "peer-protocol.md");
    private static final String HASH = "`([0-9a-f]{16})`";
    private static final Pattern KEY = Pattern.compile("\\| `([^`]+)` \\| " + HASH + " \\| (\\d+) \\| (\\d+) \\|");
    private static final Pattern WORKED = Pattern.compile("Five members, and partition (\\d+), in its order:");
    private static final Pattern MEMBER = Pattern.compile(
            "\\| `(n\\d)` \\| `(.)` \\| ([\\d.]+) \\| `([0-9a-f]+)` \\| " + HASH + " \\| ([\\d.]+) \\| (\\d) \\|");
    private static final Pattern ORDER = Pattern.compile("\\| (\\d+) \\| `(n\\d(?: n\\d)+)` \\|");

    /** A member as its row of the table has it. */
    private record Row(Member member, String hashed, String hash, String score, int numberInZone) {
        static Row of(MatchResult row) {
            Member plain = Clusters.member(row.group(1), row.group(2));
            double weight = Double.parseDouble(row.group(3));
            Member member =
                    new Member(plain.id(), plain.api(), plain.peer(), plain.zone(), plain.state(), weight, null);
            return new Row(member, row.group(4), row.group(5), row.group(6), Integer.parseInt(row.group(7)));
        }
    }

    private static List<MatchResult> all(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(DOCUMENT)).results().toList();
    }

    private static String hashOf(byte[] bytes) {
        return HexFormat.of().toHexDigits(Hashing.xxh3_64().hashBytesToLong(bytes));
    }

    private static int workedPartition() throws IOException {
        return Integer.parseInt(all(WORKED).getFirst().group(1));
    }

    private static List<Row> rows() throws IOException {
        return all(MEMBER).stream().map(Row::of).toList();
    }

    private static List<String> order(List<Member> members, int partition) {
        Placement placement = Placement.of(members, Topology.PARTITIONS_DEFAULT);
        return placement.order(partition).stream().map(Member::id).toList();
    }

    private static Map<Integer, List<String>> ordersInTheDocument() throws IOException {
        Map<Integer, List<String>> orders = new TreeMap<>();
        all(ORDER)
                .forEach(row -> orders.put(
                        Integer.parseInt(row.group(1)), List.of(row.group(2).split(" "))));
        return orders;
    }

    @Test
    void keysHaveThePartitionsOfTheDocument() throws IOException {
        List<MatchResult> keys = all(KEY);

        assertThat(keys).hasSizeGreaterThanOrEqualTo(2).allSatisfy(row -> {
            byte[] key = row.group(1).getBytes(UTF_8);
            assertThat(row.group(2)).isEqualTo(hashOf(key));
            assertThat(row.group(3)).isEqualTo("" + new Partitioning(4096).partitionOf(key));
            assertThat(row.group(4)).isEqualTo("" + new Partitioning(100).partitionOf(key));
        });
    }

    @Test
    void membersHaveTheOrdersOfTheDocument() throws IOException {
        List<Member> members = new ArrayList<>(rows().stream().map(Row::member).toList());
        List<String> worked = members.stream().map(Member::id).toList();
        Map<Integer, List<String>> orders = ordersInTheDocument();

        assertThat(order(members, workedPartition())).isEqualTo(worked).hasSize(5);
        assertThat(orders).hasSizeGreaterThanOrEqualTo(2);
        orders.forEach((partition, order) -> assertThat(order(members, partition))
                .as("partition " + partition)
                .isEqualTo(order));
    }

    /** What stands between the members and their order, computed as the document says and not as the code does. */
    @Test
    void scoresOfTheDocumentFollowFromItsRules() throws IOException {
        int partition = workedPartition();

        for (Row row : rows()) {
            byte[] id = row.member.id().getBytes(UTF_16LE);
            byte[] hashed = ByteBuffer.allocate(id.length + 8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(id)
                    .putInt(id.length / 2)
                    .putInt(partition)
                    .array();
            double u = ((Long.parseUnsignedLong(row.hash, 16) >>> 11) + 0.5) * 0x1p-53;
            double score = -row.member.weight() / StrictMath.log(u);

            assertThat(row.hashed).isEqualTo(HexFormat.of().formatHex(hashed));
            assertThat(row.hash).isEqualTo(hashOf(hashed));
            assertThat(row.score).isEqualTo(String.format(Locale.ROOT, "%.6f", score));
            assertThat(row.numberInZone).isEqualTo(betterInItsZone(row));
        }
    }

    private static int betterInItsZone(Row row) throws IOException {
        return (int) rows().stream()
                .filter(other -> other.member.zone().equals(row.member.zone()))
                .filter(other -> Double.parseDouble(other.score) > Double.parseDouble(row.score))
                .count();
    }
}
