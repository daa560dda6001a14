package dev.kvorum.node.command;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.ChangeRequest;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which members a change adds and removes. */
final class ChangeOptions {
    @Option(
            names = "--add",
            paramLabel = "id=ID,api=URL,peer=URL[,zone=ZONE][,weight=W]",
            converter = JoiningMember.class,
            description = "A member that joins; its process runs already. May be repeated.")
    private List<Member> joining = List.of();

    @Option(names = "--remove", paramLabel = "ID", description = "A member that leaves. May be repeated.")
    private Set<String> leaving = Set.of();

    @Mixin
    private GoneOptions gone = new GoneOptions();

    ChangeRequest request() {
        return new ChangeRequest(joining, leaving, gone.members());
    }
}
