{{- define "kvorum-cluster.name" -}}
{{- .Values.name | default .Release.Name }}
{{- end }}

{{- define "kvorum-cluster.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: kvorum
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* What was given of the spec, without what is null or empty: the defaults of the definition are Kubernetes' to fill in. */}}
{{- define "kvorum-cluster.spec" -}}
{{- $spec := dict }}
{{- range $field := list "replicas" "replicationFactor" "partitions" "spread" "durability" "image" "paused" }}
  {{- $value := index $.Values $field }}
  {{- if not (kindIs "invalid" $value) }}{{ $_ := set $spec $field $value }}{{ end }}
{{- end }}
{{- range $section := list "quorum" "storage" "resources" "pod" "monitoring" "scaling" }}
  {{- $given := dict }}
  {{- range $field, $value := index $.Values $section }}
    {{- if not (or (kindIs "invalid" $value) (and (or (kindIs "map" $value) (kindIs "slice" $value)) (empty $value))) }}
      {{- $_ := set $given $field $value }}
    {{- end }}
  {{- end }}
  {{- if $given }}{{ $_ := set $spec $section $given }}{{ end }}
{{- end }}
{{- range $list := list "zones" "imagePullSecrets" }}
  {{- with index $.Values $list }}{{ $_ := set $spec $list . }}{{ end }}
{{- end }}
{{- toYaml $spec }}
{{- end }}
