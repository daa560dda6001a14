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
{{- range $field, $value := omit .Values "global" "name" "test" }}
  {{- if kindIs "map" $value }}
    {{- $given := dict }}
    {{- range $inner, $content := $value }}
      {{- if not (or (kindIs "invalid" $content) (and (or (kindIs "map" $content) (kindIs "slice" $content)) (empty $content))) }}
        {{- $_ := set $given $inner $content }}
      {{- end }}
    {{- end }}
    {{- if $given }}{{ $_ := set $spec $field $given }}{{ end }}
  {{- else if not (or (kindIs "invalid" $value) (and (kindIs "slice" $value) (empty $value))) }}
    {{- $_ := set $spec $field $value }}
  {{- end }}
{{- end }}
{{- toYaml $spec }}
{{- end }}
