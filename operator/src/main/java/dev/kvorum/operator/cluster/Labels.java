package dev.kvorum.operator.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The labels and annotations by which the operator knows what is a cluster's. */
public final class Labels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String INSTANCE = "app.kubernetes.io/instance";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** The value of {@link #NAME} of nodes. */
    public static final String NODE = "kvorum-node";

    /** The value of {@link #MANAGED_BY}, the manager of fields, and the value of {@link #NAME} of the operator's own pods. */
    public static final String OPERATOR = "kvorum-operator";

    /** Selects all that this operator looks after. */
    public static final String SELECTOR = MANAGED_BY + "=" + OPERATOR;

    public static final String ZONE = "kvorum.dev/zone";

    /** On a volume claim: the epoch in which its node became a member. */
    public static final String JOINED = "kvorum.dev/joined-at-epoch";

    /** On a volume claim: the epoch in which its node had ceased to be one. Such a volume is never used again. */
    public static final String REMOVED = "kvorum.dev/removed-at-epoch";

    /** On a topology's ConfigMap, while a change is running: whether reads have asked the next owners since it began. */
    public static final String SWITCHED = "kvorum.dev/reads-were-switched";

    /** On a cluster: the plan that may begin. */
    public static final String APPROVAL = "kvorum.dev/approve-scaling";

    /** On a cluster: ids of members that leave and will never come back, with commas between. What they alone hold is given up. */
    public static final String GONE = "kvorum.dev/gone";

    /** On a cluster: the epoch whose members have lost all copies of some partitions, which a person accepts. */
    public static final String ACCEPTED_LOSS = "kvorum.dev/accept-data-loss";

    private Labels() {}

    /** Those of everything that is a cluster's. */
    public static Map<String, String> of(ClusterName name) {
        return sorted(Map.of(NAME, NODE, INSTANCE, name.name(), MANAGED_BY, OPERATOR));
    }

    /** Whether an object has those by which the operator finds what is a cluster's. */
    public static boolean areOf(ClusterName name, HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && name.name().equals(labels.get(INSTANCE)) && OPERATOR.equals(labels.get(MANAGED_BY));
    }

    /** Those that select its pods. Never changed: a StatefulSet's selector can't be. */
    public static Map<String, String> selecting(ClusterName name) {
        return sorted(Map.of(NAME, NODE, INSTANCE, name.name()));
    }

    /** Those that select the pods of a zone. */
    public static Map<String, String> selecting(ClusterName name, String zone) {
        return sorted(Map.of(NAME, NODE, INSTANCE, name.name(), ZONE, zone));
    }

    /** The same order in every process, so that what is made of them can be compared. */
    private static Map<String, String> sorted(Map<String, String> labels) {
        return Collections.unmodifiableMap(new TreeMap<>(labels));
    }
}
