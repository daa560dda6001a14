package dev.kvorum.operator.kubernetes;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.List;

/**
 * Stand in for the machines of a namespace and for what places pods on them: pods are ready as soon as they are made, unless their image is
 * {@link #BAD_IMAGE}, and gone as soon as they are deleted; claims get a volume of the size that they ask for.
 */
final class Kubelets implements AutoCloseable {
    static final String BAD_IMAGE = "no/such:image";
    private static final String MACHINE = "machine"; // The API server asks for no Node of that name.

    private final KubernetesClient client;
    private volatile boolean stingy;
    private final List<SharedIndexInformer<?>> watches;

    Kubelets(KubernetesClient client, String namespace) {
        this.client = client;
        this.watches = List.of(
                client.pods().inNamespace(namespace).inform(onChange(this::run)),
                client.persistentVolumeClaims().inNamespace(namespace).inform(onChange(this::bind)));
    }

    /** From now on no volume becomes larger, whatever its claim asks for. */
    void keepVolumesAsTheyAre() {
        stingy = true;
    }

    private void run(Pod pod) {
        boolean known = pod.getStatus() != null
                && !pod.getStatus().getContainerStatuses().isEmpty();
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            tolerant(() -> client.resource(pod).withGracePeriod(0).delete());
            return;
        }
        if (pod.getSpec().getNodeName() == null) {
            tolerant(() -> client.bindings()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .resource(toMachine(pod))
                    .create());
            return; // It is seen again when it is bound. Claims of pods that are not are not protected.
        }
        if (known) {
            return;
        }
        boolean good = !pod.getSpec().getContainers().getFirst().getImage().equals(BAD_IMAGE);
        pod.setStatus(new PodStatusBuilder()
                .withPhase(good ? "Running" : "Pending")
                .addNewCondition()
                .withType("Ready")
                .withStatus(good ? "True" : "False")
                .endCondition()
                .withContainerStatuses(good ? running() : waiting())
                .build());
        tolerant(() -> client.resource(pod).patchStatus());
    }

    private static Binding toMachine(Pod pod) {
        return new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(MACHINE)
                .endTarget()
                .build();
    }

    private static List<io.fabric8.kubernetes.api.model.ContainerStatus> running() {
        return List.of(status(true)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .build());
    }

    private static List<io.fabric8.kubernetes.api.model.ContainerStatus> waiting() {
        return List.of(status(false)
                .withNewState()
                .withNewWaiting()
                .withReason("ImagePullBackOff")
                .withMessage("there is no such image")
                .endWaiting()
                .endState()
                .build());
    }

    private static ContainerStatusBuilder status(boolean ready) {
        return new ContainerStatusBuilder()
                .withName("node")
                .withImage("any")
                .withImageID("any")
                .withRestartCount(0)
                .withReady(ready);
    }

    private void bind(PersistentVolumeClaim claim) {
        var asked = claim.getSpec().getResources().getRequests();
        boolean bound =
                claim.getStatus() != null && asked.equals(claim.getStatus().getCapacity());
        boolean kept = stingy
                && claim.getStatus() != null
                && "Bound".equals(claim.getStatus().getPhase());
        if (bound || kept || claim.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        PersistentVolumeClaim with = claim.edit()
                .editOrNewStatus()
                .withPhase("Bound")
                .withCapacity(asked)
                .withAccessModes(claim.getSpec().getAccessModes())
                .endStatus()
                .build();
        tolerant(() -> client.resource(with).patchStatus());
    }

    /** What has changed or gone meanwhile is looked at again, or never. */
    private static void tolerant(Runnable patch) {
        try {
            patch.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private static <T> ResourceEventHandler<T> onChange(java.util.function.Consumer<T> change) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                change.accept(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                change.accept(object);
            }

            @Override
            public void onDelete(T object, boolean unknown) {}
        };
    }

    @Override
    public void close() {
        watches.forEach(SharedIndexInformer::close);
    }
}
