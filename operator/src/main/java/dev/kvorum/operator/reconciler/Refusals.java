package dev.kvorum.operator.reconciler;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** What the API server would not have, in words that a person can act on. */
final class Refusals {
    private Refusals() {}

    /** In the API server's own words, without the request that they answer. */
    static String inWords(KubernetesClientException refusal) {
        Status status = refusal.getStatus();
        String message = status == null ? null : status.getMessage();
        return message == null || message.isBlank() ? String.valueOf(refusal.getMessage()) : message;
    }

    /** Whether it was the API server that answered, and not nobody: then everything else will fail as well. */
    static boolean isAnswer(KubernetesClientException refusal) {
        return refusal.getCode() > 0;
    }
}
