package dev.kvorum.topology.change;

import dev.kvorum.topology.Member;
import java.util.List;
import java.util.Set;

/**
 * Who is to join and who is to leave, in one change.
 *
 * @param joining in whatever state
 * @param leaving ids
 * @param gone ids of members whose processes have been ended for good: nobody waits for them, and nothing is pulled from them
 */
public record ChangeRequest(List<Member> joining, Set<String> leaving, Set<String> gone) {
    public ChangeRequest {
        joining = List.copyOf(joining);
        leaving = Set.copyOf(leaving);
        gone = Set.copyOf(gone);
    }
}
