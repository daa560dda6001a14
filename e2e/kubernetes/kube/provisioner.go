package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

// provisionerName is what storage classes name; their parameter "scope" is "shared" (any node can mount the volume, as with a
// network disk) or "node" (only the node where its first pod was placed, as with a local disk).
const provisionerName = "kvorum.dev/directory"

// directories makes a volume of a directory under root, which all nodes have in common.
//
// The volumes are of type local, not hostPath: the kubelet applies fsGroup to them, so that pods need not run as root.
type directories struct {
	root string
}

func provision() {
	root := flag.String("root", "", "the directory under which volumes are made; the same on all nodes")
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err == nil && *root == "" {
		err = fmt.Errorf("--root is missing: name the directory that all nodes have in common")
	}
	if err != nil {
		klog.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	ctx := server.SetupSignalContext()
	go expand(ctx, client)
	controller.NewProvisionController(ctx, client, provisionerName, directories{*root}, controller.LeaderElection(false)).Run(ctx)
}

func (d directories) Provision(_ context.Context, wanted controller.ProvisionOptions) (*core.PersistentVolume, controller.ProvisioningState, error) {
	where, err := reachableFrom(wanted.StorageClass.Parameters["scope"], wanted.SelectedNodeName)
	if err != nil {
		return nil, controller.ProvisioningFinished, err
	}
	path := filepath.Join(d.root, wanted.PVName)
	// As a new disk: root's, and of use to other users by fsGroup alone.
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, controller.ProvisioningFinished, err
	}
	volume := &core.PersistentVolume{
		ObjectMeta: meta.ObjectMeta{Name: wanted.PVName},
		Spec: core.PersistentVolumeSpec{
			PersistentVolumeReclaimPolicy: *wanted.StorageClass.ReclaimPolicy,
			AccessModes:                   wanted.PVC.Spec.AccessModes,
			Capacity:                      core.ResourceList{core.ResourceStorage: wanted.PVC.Spec.Resources.Requests[core.ResourceStorage]},
			PersistentVolumeSource:        core.PersistentVolumeSource{Local: &core.LocalVolumeSource{Path: path}},
			NodeAffinity:                  where,
		},
	}
	return volume, controller.ProvisioningFinished, nil
}

func (d directories) Delete(_ context.Context, volume *core.PersistentVolume) error {
	return os.RemoveAll(filepath.Join(d.root, volume.Name))
}

func reachableFrom(scope, node string) (*core.VolumeNodeAffinity, error) {
	var label, value string
	switch scope {
	case "shared":
		label, value = core.LabelOSStable, "linux"
	case "node":
		label, value = core.LabelHostname, node
	default:
		return nil, fmt.Errorf("the storage class has scope %q: must be shared or node", scope)
	}
	if value == "" {
		return nil, fmt.Errorf("no node was chosen yet: the storage class must have volumeBindingMode WaitForFirstConsumer")
	}
	term := core.NodeSelectorTerm{MatchExpressions: []core.NodeSelectorRequirement{
		{Key: label, Operator: core.NodeSelectorOpIn, Values: []string{value}},
	}}
	return &core.VolumeNodeAffinity{Required: &core.NodeSelector{NodeSelectorTerms: []core.NodeSelectorTerm{term}}}, nil
}
