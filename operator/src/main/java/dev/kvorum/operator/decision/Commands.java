package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import java.util.Collection;
import java.util.stream.Collectors;

/** The commands that messages name, each between backquotes: what stands there can be pasted as it is. */
final class Commands {
    private final ClusterName name;

    Commands(ClusterName name) {
        this.name = name;
    }

    /** Deletes the volume claims of these members. */
    String deleteVolumes(Collection<String> members) {
        return quoted(kubectl("delete pvc " + members.stream().map(name::volume).collect(Collectors.joining(" "))));
    }

    /** Deletes all volume claims of the cluster. */
    String deleteAllVolumes() {
        return quoted(kubectl("delete pvc -l " + Labels.INSTANCE + "=" + name.name()));
    }

    String deletePod(String member) {
        return quoted(kubectl("delete pod " + member));
    }

    /** Has a member begin anew on an empty volume, which is filled from the others. */
    String rebuild(String member) {
        return quoted(
                kubectl("delete pvc " + name.volume(member)) + " --wait=false; " + kubectl("delete pod " + member));
    }

    /** Gives a ConfigMap the labels of what is the cluster's. */
    String claimConfigMap(String map) {
        return quoted(kubectl("label configmap " + map + " " + Labels.INSTANCE + "=" + name.name() + " "
                + Labels.MANAGED_BY + "=" + Labels.OPERATOR));
    }

    /** Sets an annotation of the cluster. */
    String annotate(String annotation, String value) {
        return quoted(kubectl("annotate kvc " + name.name()) + " --overwrite " + annotation + "=" + value);
    }

    private static String quoted(String commands) {
        return "`" + commands + "`";
    }

    private String kubectl(String words) {
        return "kubectl " + words + " -n " + name.namespace();
    }
}
