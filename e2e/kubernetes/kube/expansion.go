package main

import (
	"context"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// expansionRetry is how long after a failed expansion it is tried again: the informer hands out all claims so often.
const expansionRetry = 10 * time.Second

// expand does what a storage driver's resizer does: a claim that asks for more than its volume has gets it. Directories
// have no size of their own, so it is a matter of the books alone.
func expand(ctx context.Context, client kubernetes.Interface) {
	factory := informers.NewSharedInformerFactory(client, expansionRetry)
	grow := func(claim *core.PersistentVolumeClaim) {
		if err := expandOne(ctx, client, claim); err != nil {
			klog.ErrorS(err, "Could not expand a volume, will try again", "claim", klog.KObj(claim))
		}
	}
	_, err := factory.Core().V1().PersistentVolumeClaims().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, claim any) { grow(claim.(*core.PersistentVolumeClaim)) },
	})
	if err != nil {
		klog.Fatal(err)
	}
	factory.Start(ctx.Done())
	<-ctx.Done()
}

func expandOne(ctx context.Context, client kubernetes.Interface, claim *core.PersistentVolumeClaim) error {
	wanted := claim.Spec.Resources.Requests[core.ResourceStorage]
	if claim.Status.Phase != core.ClaimBound || wanted.Cmp(claim.Status.Capacity[core.ResourceStorage]) <= 0 {
		return nil
	}
	volume, err := client.CoreV1().PersistentVolumes().Get(ctx, claim.Spec.VolumeName, meta.GetOptions{})
	if err != nil || volume.Annotations["pv.kubernetes.io/provisioned-by"] != provisionerName {
		return err
	}
	volume.Spec.Capacity[core.ResourceStorage] = wanted
	if _, err = client.CoreV1().PersistentVolumes().Update(ctx, volume, meta.UpdateOptions{}); err != nil {
		return err
	}
	grown := claim.DeepCopy()
	grown.Status.Capacity[core.ResourceStorage] = wanted
	_, err = client.CoreV1().PersistentVolumeClaims(claim.Namespace).UpdateStatus(ctx, grown, meta.UpdateOptions{})
	return err
}
