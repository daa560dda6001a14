package dev.kvorum.topology.change;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Former;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Past;
import dev.kvorum.topology.change.MemberReport.Standing;
import dev.kvorum.topology.change.MemberReport.Transfer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reports and sizes as JSON: {@code docs/peer-protocol.md}. Fields that are not known are ignored: a newer node may say more. */
public final class MemberReportJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addMixIn(MemberReport.class, Flat.class)
            .build();

    /** What a report is in JSON: its first two parts are no levels of their own. */
    private record Flat(
            @JsonUnwrapped Identity identity,
            @JsonUnwrapped Standing standing,
            Transfer transfer,
            Former former,
            Disk disk,
            Past past) {}

    private MemberReportJson() {}

    public static byte[] write(MemberReport report) {
        return JSON.writeValueAsBytes(report);
    }

    public static byte[] write(PartitionSizes sizes) {
        return JSON.writeValueAsBytes(sizes);
    }

    /** @throws IllegalArgumentException if it is none */
    public static MemberReport readReport(byte[] json) {
        return read(json, MemberReport.class);
    }

    /** @throws IllegalArgumentException if it is none */
    public static PartitionSizes readSizes(byte[] json) {
        return read(json, PartitionSizes.class);
    }

    private static <T> T read(byte[] json, Class<T> type) {
        try {
            T read = JSON.readValue(json, type);
            if (read == null) {
                throw new IllegalArgumentException("not the report of a node: null");
            }
            return read;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not the report of a node: " + e.getOriginalMessage(), e);
        }
    }
}
