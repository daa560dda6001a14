package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Members that can't be asked. Who gains data pulls it from all present owners, as each may hold what no other does; so a change waits for every member, until it
 * is back or has been rebuilt. Only a person can say that one which leaves will never come back, by the annotation {@value Labels#GONE}: then nobody waits for it, as
 * long as it really has no process.
 */
final class Absence {
    private final Observed observed;
    private final List<String> leaving;

    /** @param leaving ids of members that leave by the change that is planned or running */
    Absence(Observed observed, List<String> leaving) {
        this.observed = observed;
        this.leaving = leaving;
    }

    /** Ids of members for which nobody waits. */
    List<String> gone() {
        return observed.gone().stream().filter(this::isGone).sorted().toList();
    }

    boolean isGone(String id) {
        return observed.gone().contains(id) && mayBeGone(id);
    }

    private boolean mayBeGone(String id) {
        return leaving.contains(id) && !observed.isAlive(id);
    }

    /** What a person can do about the first of these members that can't be asked and is waited for; empty where there is none. */
    Optional<String> remedy(List<Member> members) {
        return members.stream()
                .map(Member::id)
                .filter(id -> !observed.reports().containsKey(id) && !isGone(id))
                .findFirst()
                .map(this::remedy);
    }

    private String remedy(String id) {
        String rebuild = "the change waits for " + id
                + ", which can't be asked and may hold what no other member does. If it "
                + "does not come back by itself, bring its machine back; or have it rebuilt elsewhere from the others"
                + (observed.isAlive(id) ? " (if its machine is lost, delete that Node first)" : "")
                + ": " + observed.commands().rebuild(id);
        return mayBeGone(id) ? rebuild + ". Or give up what it alone holds: " + giveUp(id) : rebuild;
    }

    private String giveUp(String id) {
        List<String> ids =
                Stream.concat(gone().stream(), Stream.of(id)).sorted().toList();
        return observed.commands().annotate(Labels.GONE, String.join(",", ids));
    }

    /** Why the annotation has no effect, for each that it names in vain; empty where it names none. */
    Optional<String> ignored() {
        List<String> ignored = new ArrayList<>();
        for (String id : observed.gone().stream().sorted().toList()) {
            if (!leaving.contains(id)) {
                ignored.add(id + ", which does not leave");
            } else if (observed.isAlive(id)) {
                ignored.add(id + ", whose process may be running");
            }
        }
        return ignored.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "the annotation " + Labels.GONE + " has no effect for " + String.join("; nor for ", ignored));
    }
}
