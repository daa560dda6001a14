package dev.kvorum.node.command;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.change.ChangeRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command as it was given.
 *
 * @param name the first word
 * @param nodes management ports of members, of which one that answers is asked
 * @param watching whether {@code status} goes on until it is ended
 */
record CommandLine(String name, List<URI> nodes, ChangeRequest request, boolean watching) {
    private static final Set<String> OF_CHANGES = Set.of("plan", "start");
    private static final Set<String> MEMBER_FIELDS = Set.of("id", "api", "peer", "zone", "weight");

    /** @throws InvalidCommandException if it can't be understood */
    static CommandLine parse(String name, List<String> options) {
        List<URI> nodes = new ArrayList<>();
        List<Member> joining = new ArrayList<>();
        Set<String> leaving = new HashSet<>();
        Set<String> gone = new HashSet<>();
        boolean watching = false;
        for (String option : options) {
            String key = option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
            String value = option.contains("=") ? option.substring(option.indexOf('=') + 1) : "";
            switch (key) {
                case "--node" -> nodes.add(address(option, value));
                case "--add" -> joining.add(member(ofChanges(name, option), value));
                case "--remove" -> leaving.add(ofChanges(name, option).substring("--remove=".length()));
                case "--gone" -> gone.add(value);
                case "--watch" -> watching = true;
                default ->
                    throw new InvalidCommandException("\"" + option + "\" is no option of " + name
                            + "; they are --node=URL, --gone=ID, with plan and start --add=... and --remove=ID, with status"
                            + " --watch");
            }
        }
        if (nodes.isEmpty()) {
            throw new InvalidCommandException(
                    "--node is missing: name the management port of any member, as in --node=http://127.0.0.1:8081");
        }
        return new CommandLine(name, nodes, new ChangeRequest(joining, leaving, gone), watching);
    }

    private static String ofChanges(String name, String option) {
        if (!OF_CHANGES.contains(name)) {
            throw new InvalidCommandException("\"" + option + "\" is for plan and start, not for " + name);
        }
        if (!option.contains("=")) {
            throw new InvalidCommandException("\"" + option + "\" has no value");
        }
        return option;
    }

    private static URI address(String option, String value) {
        try {
            URI address = URI.create(value);
            if ("http".equals(address.getScheme()) && address.getHost() != null && address.getPort() > 0) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidCommandException("\"" + option + "\" is not an address: " + e.getMessage());
        }
        throw new InvalidCommandException("\"" + option + "\" is not an address like http://10.0.0.7:8081");
    }

    private static Member member(String option, String value) {
        Map<String, String> fields = new HashMap<>();
        for (String field : value.split(",", -1)) {
            int equals = field.indexOf('=');
            String key = equals < 0 ? field : field.substring(0, equals);
            if (equals < 0 || !MEMBER_FIELDS.contains(key)) {
                throw new InvalidCommandException(
                        "\"" + option + "\": \"" + field
                                + "\" is not understood; like --add=id=n4,api=http://10.0.0.7:8080,peer=http://10.0.0.7:9090,zone=a");
            }
            fields.put(key, field.substring(equals + 1));
        }
        for (String required : Arrays.asList("id", "api", "peer")) {
            if (!fields.containsKey(required)) {
                throw new InvalidCommandException("\"" + option + "\": " + required + " is missing");
            }
        }
        return member(option, fields);
    }

    private static Member member(String option, Map<String, String> fields) {
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
            throw new InvalidCommandException("\"" + option + "\": " + e.getMessage());
        }
    }
}
