{{- define "helix.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "helix.selector" -}}
app.kubernetes.io/name: helix
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "helix.labels" -}}
{{ include "helix.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "helix.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The variable of a setting: publicUrl becomes HELIX_PUBLIC_URL. */}}
{{- define "helix.variable" -}}
HELIX_{{ . | snakecase | upper }}
{{- end }}

{{- define "helix.secretVariables" -}}
{{- range $setting, $secret := .Values.secrets }}
{{- if $secret.name }}
- name: {{ include "helix.variable" $setting }}
  valueFrom: { secretKeyRef: { name: {{ $secret.name }}, key: {{ $secret.key }} } }
{{- end }}
{{- end }}
{{- end }}

{{- define "helix.otherSecretVariables" -}}
{{- range .Values.otherSecrets }}
- name: {{ include "helix.variable" .setting }}
  valueFrom: { secretKeyRef: { name: {{ .name }}, key: {{ .key }} } }
{{- end }}
{{- end }}

{{/* Of a pod, apart from its containers. */}}
{{- define "helix.pod" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
automountServiceAccountToken: false
# Kubernetes would add variables named HELIX_… for a Service of that name, and an unknown one prevents the start.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "helix.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}
