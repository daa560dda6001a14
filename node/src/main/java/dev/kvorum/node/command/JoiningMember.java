package dev.kvorum.node.command;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a member that joins, as {@code id=n4,api=http://10.0.0.4:8080,peer=http://10.0.0.4:9090,zone=a}. */
final class JoiningMember implements ITypeConverter<Member> {
    private static final Set<String> FIELDS = Set.of("id", "api", "peer", "zone", "weight");
    private static final List<String> REQUIRED = List.of("id", "api", "peer");

    @Override
    public Member convert(String value) {
        Map<String, String> fields = new HashMap<>();
        for (String field : value.split(",", -1)) {
            int equals = field.indexOf('=');
            String key = equals < 0 ? field : field.substring(0, equals);
            if (equals < 0 || !FIELDS.contains(key)) {
                throw new TypeConversionException(
                        "\"" + field
                                + "\" is not understood; like --add=id=n4,api=http://10.0.0.7:8080,peer=http://10.0.0.7:9090,zone=a");
            }
            fields.put(key, field.substring(equals + 1));
        }
        for (String required : REQUIRED) {
            if (!fields.containsKey(required)) {
                throw new TypeConversionException(required + " is missing in \"" + value + "\"");
            }
        }
        return member(value, fields);
    }

    private static Member member(String value, Map<String, String> fields) {
        try {
            return new Member(
                    fields.getOrDefault("id", ""),
                    URI.create(fields.getOrDefault("api", "")),
                    URI.create(fields.getOrDefault("peer", "")),
                    fields.getOrDefault("zone", "default"),
                    MemberState.JOINING,
                    Double.parseDouble(fields.getOrDefault("weight", "1")),
                    null);
        } catch (InvalidTopologyException | IllegalArgumentException e) {
            throw new TypeConversionException("\"" + value + "\" is no member: " + e.getMessage());
        }
    }
}
