package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Optional;

/** One thing to be done, besides what the manifests say. All of them may be done again without harm. */
public sealed interface Action {
    /** For the event that tells of it; empty where it is no decision. */
    default Optional<Note> note() {
        return Optional.empty();
    }

    /** Gives a node the present topology: a mounted ConfigMap may lag by a minute. */
    record Push(Member member, Topology topology) implements Action {}

    /** Tells a node that all members go by the running change, but those that are gone, from which nothing is to be pulled. */
    record Settle(Member member, long epoch, List<String> gone) implements Action {
        public Settle {
            gone = List.copyOf(gone);
        }
    }

    /** Marks a volume as that of a member, if it is still this version of it. Before the topology names the member. */
    record MarkJoined(String member, long epoch, String version) implements Action {}

    /** Takes the mark of a member back from the volume of one that never became one, if it is still this version of it. After its pod has gone. */
    record TakeMarkBack(String member, String version) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(Note.normal(
                    "VolumeReleased",
                    "The volume of " + member + " is not marked any more: it was to become a member and did not"));
        }
    }

    /** Marks a volume as that of a former member, if it is still this version of it. Before its pod goes. */
    record MarkRemoved(String member, long epoch, String version) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(Note.normal(
                    "VolumeRetired",
                    "The volume of " + member + " is marked: it is not a member any more as of epoch " + epoch));
        }
    }

    /** Replaces a pod by ending it. */
    record ReplacePod(String member, String uid, String why) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(Note.normal("ReplacingPod", "Replacing " + member + ": " + why));
        }
    }

    /** Gives a volume claim the owner that {@code storage.retention} asks for, if it is still this claim. */
    record OwnVolume(String member, String uid) implements Action {}

    /** Deletes a volume whose data others have been verified to hold. */
    record DeleteVolume(String member, String uid) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(Note.normal(
                    "DeletingVolume",
                    "Deleting the volume of " + member
                            + ", as spec.storage.retention is Delete: the change by which it left is final"));
        }
    }

    /** Asks for a volume of another size: a larger one, or no larger one any more. */
    record ResizeVolume(String member, String size) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(Note.normal("ResizingVolume", "Asking for " + size + " for the volume of " + member));
        }
    }

    /** Deletes a StatefulSet if it is still this version of it, and neither its pods nor their volumes, so that it can be made anew: what is to be changed of it can't be. */
    record RemakeSet(String zone, String version, String why) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(
                    Note.normal("RemakingStatefulSet", "Remaking a StatefulSet without touching its pods: " + why));
        }
    }

    /**
     * Takes back what a StatefulSet's status says of the spec that was seen last, if the set is still this version of it. What its controller has found out about a deleted
     * set may be written to the one that has its name by then; and that it has seen a spec which seems to be older than that, it would not write as long as nothing else of the status changes.
     */
    record TakeStatusBack(String zone, String version) implements Action {
        @Override
        public Optional<Note> note() {
            return Optional.of(
                    Note.normal(
                            "StatusTakenBack",
                            "The status of a StatefulSet that was made anew is that of the one before it: Kubernetes is asked for its own"));
        }
    }

    /** Deletes a StatefulSet that has no pods any more, if it is still this version of it. */
    record DeleteSet(String zone, String version) implements Action {}
}
