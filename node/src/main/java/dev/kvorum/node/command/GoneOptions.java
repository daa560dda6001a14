package dev.kvorum.node.command;

import java.util.Set;
import picocli.CommandLine.Option;

/** Members that no command waits for. */
final class GoneOptions {
    @Option(
            names = "--gone",
            paramLabel = "ID",
            description = "A member whose process was ended for good: nothing waits for it. May be repeated.")
    private Set<String> members = Set.of();

    Set<String> members() {
        return members;
    }
}
