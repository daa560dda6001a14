package dev.kvorum.operator.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One cluster, as its users ask for it and as the operator reports on it. */
@Group("kvorum.dev")
@Version("v1alpha1")
@Plural("kvorumclusters")
@Singular("kvorumcluster")
@ShortNames("kvc")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
        name = "Nodes",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Desired", jsonPath = ".spec.replicas", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Epoch", jsonPath = ".status.epoch", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.lastError", priority = 1)
// Pods are named cluster-zone-ordinal, and a StatefulSet labels them with its own name and a hash: 63 characters in
// all.
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 40",
        message =
                "metadata.name must be up to 40 of a-z, 0-9 and '-', beginning with a letter and not ending with '-': services and pods are named after it")
@ValidationRule(
        value = "self.spec.zones.all(zone, size(self.metadata.name) + size(zone) <= 50)",
        message =
                "metadata.name and each of spec.zones must have at most 50 characters together: pods are named after both")
// Of the whole resource, because what volumes have stands in the status.
@ValidationRule(
        value =
                "quantity(self.spec.storage.size).compareTo(quantity(oldSelf.spec.storage.size)) >= 0 || (has(self.status) && has(self.status.volumeSize) && quantity(self.spec.storage.size).compareTo(quantity(self.status.volumeSize)) >= 0)",
        fieldPath = ".spec.storage.size",
        messageExpression =
                "'spec.storage.size was ' + oldSelf.spec.storage.size + ' and can only be raised, or taken back to what volumes have: they do not shrink'")
@SchemaCustomizer(value = SchemaDetails.class, input = "{\"spec\": {\"default\": {}}}")
public final class KvorumCluster extends CustomResource<KvorumClusterSpec, @Nullable KvorumClusterStatus>
        implements Namespaced {
    @Override
    protected @Nullable KvorumClusterSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable KvorumClusterStatus initStatus() {
        return null;
    }
}
