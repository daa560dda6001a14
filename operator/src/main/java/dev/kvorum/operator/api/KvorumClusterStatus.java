package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the operator has found and is doing. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@SchemaCustomizer(value = SchemaDetails.class, input = """
                {
                  "conditions": {
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["type"],
                    "items": {
                      "required": ["lastTransitionTime", "message", "observedGeneration", "reason", "status", "type"],
                      "properties": {
                        "lastTransitionTime": {"description": "Since when the status is what it is."},
                        "message": {"description": "Why, in a sentence."},
                        "observedGeneration": {"description": "The generation of the spec that this is about."},
                        "reason": {"description": "Why, in one word for programs."},
                        "status": {"description": "True, False or Unknown."},
                        "type": {"description": "Ready, Available, Progressing, Degraded, Scaling or Valid."}
                      }
                    }
                  },
                  "members": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"]}
                }
                """)
@JsonIgnoreProperties(ignoreUnknown = true)
public record KvorumClusterStatus(
        @JsonPropertyDescription("The generation of the spec that this is about.")
        long observedGeneration,

        @JsonPropertyDescription(
                "One word for people: Creating, Running, Scaling, Updating, Degraded, Invalid or Paused. Programs look at the conditions.")
        Phase phase,

        @JsonPropertyDescription("What holds, and why.") List<Condition> conditions,

        @JsonPropertyDescription("Pods that exist.") @StatusReplicas
        int replicas,

        @JsonPropertyDescription("Pods that are ready.") int readyReplicas,

        @JsonPropertyDescription("Selects the pods of the cluster.") @LabelSelector
        String selector,

        @JsonPropertyDescription("The epoch of the topology that is published.")
        long epoch,

        @JsonPropertyDescription("The nodes.") List<MemberStatus> members,

        @JsonPropertyDescription(
                "What the largest volume of a member has. spec.storage.size may be taken back to no less; left out while there is none.")
        @Nullable
        String volumeSize,

        @JsonPropertyDescription("The change of the members that waits or is running; left out where there is none.")
        @Nullable
        ChangeStatus change,

        @JsonPropertyDescription(
                "What keeps the cluster from what the spec asks for, in a sentence; left out where nothing does.")
        @Nullable
        String lastError) {
    /** Fills in what an earlier or a newer operator has left out, or wrote in a way that this one can't read. */
    public KvorumClusterStatus {
        phase = Objects.requireNonNullElse(phase, Phase.Degraded);
        conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
        selector = Objects.requireNonNullElse(selector, "");
        members = List.copyOf(Objects.requireNonNullElse(members, List.of()));
    }

    /** Builds a status by the names of its fields. */
    public static final class Builder {
        private long observedGeneration;
        private Phase phase = Phase.Degraded;
        private List<Condition> conditions = List.of();
        private int replicas;
        private int readyReplicas;
        private String selector = "";
        private long epoch;
        private List<MemberStatus> members = List.of();
        private @Nullable String volumeSize;
        private @Nullable ChangeStatus change;
        private @Nullable String lastError;

        /** Begins with a status that says nothing. */
        public Builder() {}

        /** Begins with a status that was written before. */
        public Builder(KvorumClusterStatus before) {
            observedGeneration = before.observedGeneration;
            phase = before.phase;
            conditions = before.conditions;
            replicas = before.replicas;
            readyReplicas = before.readyReplicas;
            selector = before.selector;
            epoch = before.epoch;
            members = before.members;
            volumeSize = before.volumeSize;
            change = before.change;
            lastError = before.lastError;
        }

        /** @see KvorumClusterStatus#observedGeneration */
        public Builder observedGeneration(long value) {
            observedGeneration = value;
            return this;
        }

        /** @see KvorumClusterStatus#phase */
        public Builder phase(Phase value) {
            phase = value;
            return this;
        }

        /** @see KvorumClusterStatus#conditions */
        public Builder conditions(List<Condition> value) {
            conditions = value;
            return this;
        }

        /** @see KvorumClusterStatus#replicas */
        public Builder replicas(int value) {
            replicas = value;
            return this;
        }

        /** @see KvorumClusterStatus#readyReplicas */
        public Builder readyReplicas(int value) {
            readyReplicas = value;
            return this;
        }

        /** @see KvorumClusterStatus#selector */
        public Builder selector(String value) {
            selector = value;
            return this;
        }

        /** @see KvorumClusterStatus#epoch */
        public Builder epoch(long value) {
            epoch = value;
            return this;
        }

        /** @see KvorumClusterStatus#members */
        public Builder members(List<MemberStatus> value) {
            members = value;
            return this;
        }

        /** @see KvorumClusterStatus#volumeSize */
        public Builder volumeSize(@Nullable String value) {
            volumeSize = value;
            return this;
        }

        /** @see KvorumClusterStatus#change */
        public Builder change(@Nullable ChangeStatus value) {
            change = value;
            return this;
        }

        /** @see KvorumClusterStatus#lastError */
        public Builder lastError(@Nullable String value) {
            lastError = value;
            return this;
        }

        /** The status. */
        public KvorumClusterStatus build() {
            return new KvorumClusterStatus(
                    observedGeneration,
                    phase,
                    conditions,
                    replicas,
                    readyReplicas,
                    selector,
                    epoch,
                    members,
                    volumeSize,
                    change,
                    lastError);
        }
    }
}
