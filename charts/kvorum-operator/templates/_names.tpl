{{- /* kvorum-operator where the release is called that, as in the documentation; else the release's name and it. */}}
{{- define "kvorum-operator.name" -}}
{{- if contains "kvorum-operator" .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ .Release.Name | trunc 37 | trimSuffix "-" }}-kvorum-operator{{ end }}
{{- end }}

{{- define "kvorum-operator.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "kvorum-operator.name" .) }}
{{- end }}

{{- /* What finds the pods of this release: never to change, as a Deployment's selector can't. */}}
{{- define "kvorum-operator.selectorLabels" -}}
app.kubernetes.io/name: kvorum-operator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kvorum-operator.labels" -}}
{{ include "kvorum-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: operator
app.kubernetes.io/part-of: kvorum
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
