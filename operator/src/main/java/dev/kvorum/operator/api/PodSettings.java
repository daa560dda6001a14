package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where pods may run, and what they are labelled with. */
@ValidationRule(
        value = "self.labels.all(name, !name.startsWith('kvorum.dev/') && !name.startsWith('app.kubernetes.io/'))",
        fieldPath = ".labels",
        message = "spec.pod.labels must not begin with kvorum.dev/ or app.kubernetes.io/: pods are found by those")
@ValidationRule(
        value = "self.annotations.all(name, !name.startsWith('kvorum.dev/'))",
        fieldPath = ".annotations",
        message = "spec.pod.annotations must not begin with kvorum.dev/: those are the operator's")
@SchemaCustomizer(value = SchemaDetails.class, input = """
                {
                  "tolerations": {"default": [], "x-kubernetes-list-type": "atomic"},
                  "labels": {"default": {}},
                  "annotations": {"default": {}}
                }
                """)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodSettings(
        @JsonPropertyDescription("Affinity of the pods, as Kubernetes defines it. That of zones comes from spec.zones.")
        @Nullable
        Affinity affinity,

        @JsonPropertyDescription("Taints that the pods tolerate.") @Size(max = 32)
        List<Toleration> tolerations,

        @JsonPropertyDescription("Priority class of the pods; that of the namespace if left out.")
        @Size(min = 1, max = 253)
        @Nullable
        String priorityClassName,

        @JsonPropertyDescription("Further labels of the pods.") @Size(max = 32)
        Map<String, String> labels,

        @JsonPropertyDescription("Further annotations of the pods.") @Size(max = 32)
        Map<String, String> annotations) {}
