{{- /* What the operator may do in the namespaces of clusters: no secrets, no commands in pods. */}}
{{- define "kvorum-operator.rules" -}}
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters]
  verbs: [get, list, watch, patch, update]
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters/status]
  verbs: [get, patch, update]
# Kubernetes asks for this of whoever makes objects that belong to a cluster, and are to go with it.
- apiGroups: [kvorum.dev]
  resources: [kvorumclusters/finalizers]
  verbs: [update]
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [""]
  resources: [services, configmaps, serviceaccounts]
  verbs: [get, list, watch, create, patch, update, delete]
# Volumes come from StatefulSets: the operator expands, marks and, where a cluster says so, deletes them.
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, watch, patch, update, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, patch, delete]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: [monitoring.coreos.com]
  resources: [podmonitors]
  verbs: [get, list, watch, create, patch, update, delete]
- apiGroups: ["", events.k8s.io]
  resources: [events]
  verbs: [create, patch, update]
{{- end }}

{{- /* What belongs to no namespace, and is only looked at: whether volumes can be expanded, and which kinds there are. */}}
{{- define "kvorum-operator.clusterRules" -}}
- apiGroups: [storage.k8s.io]
  resources: [storageclasses]
  verbs: [get, list, watch]
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  verbs: [get, list, watch]
{{- end }}
