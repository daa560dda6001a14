package dev.kvorum.topology.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Loss;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A report over the wire: its parts in Java are no levels of the JSON. */
class MemberReportJsonTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final MemberReport REPORT = new MemberReport(
            new MemberReport.Identity("n4", null, 16, new UUID(1, 2)),
            new MemberReport.Standing(
                    7, "2b6f5c0e9d1a4837", true, 3, new Life(9, new Loss(Extent.LATEST, 8, 3, "why"))),
            new MemberReport.Transfer(Set.of("n2"), 10, 8, 99, 1000, 100, 200, ""),
            new MemberReport.Former(1, 17, ""),
            new MemberReport.Disk(1L << 34, 40960),
            new MemberReport.Past(7, 864000000));

    @Test
    void fieldsOfTheNodeAndOfItsStandingAreAtTheTop() {
        JsonNode json = JSON.readTree(MemberReportJson.write(REPORT));

        assertThat(List.copyOf(json.propertyNames()))
                .containsExactly(
                        "member",
                        "cluster",
                        "partitions",
                        "incarnation",
                        "epoch",
                        "digest",
                        "named",
                        "rebuilding",
                        "life",
                        "transfer",
                        "former",
                        "disk",
                        "past");
        assertThat(json.path("epoch").longValue()).isEqualTo(7);
    }

    @Test
    void reportIsReadAsItWasWritten() {
        assertThat(MemberReportJson.readReport(MemberReportJson.write(REPORT))).isEqualTo(REPORT);
    }

    @Test
    void newerNodeMaySayMore() {
        ObjectNode json = (ObjectNode) JSON.readTree(MemberReportJson.write(REPORT));
        json.putObject("weather").put("sunny", true);

        assertThat(read(json)).isEqualTo(REPORT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "member",
                "cluster",
                "incarnation",
                "epoch",
                "rebuilding",
                "life",
                "transfer",
                "former",
                "disk",
                "past"
            })
    void reportWithoutAFieldIsRefused(String field) {
        ObjectNode json = (ObjectNode) JSON.readTree(MemberReportJson.write(REPORT));
        json.remove(field);

        assertThatThrownBy(() -> read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    private static MemberReport read(JsonNode json) {
        return MemberReportJson.readReport(json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
