package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.UnreadCluster;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/** Whether a person has asked for something else: the spec is another, or an annotation is. A status is only what the operator has told itself. */
public final class AskedOtherwise implements OnUpdateFilter<UnreadCluster> {
    @Override
    public boolean accept(UnreadCluster now, UnreadCluster before) {
        ObjectMeta next = now.getMetadata();
        ObjectMeta former = before.getMetadata();
        return !Objects.equals(next.getGeneration(), former.getGeneration())
                || !Objects.equals(next.getAnnotations(), former.getAnnotations());
    }
}
