import type { ExportCounts } from '../traces/span-exporter.ts'
import type { Family } from './family.ts'
import { createGauge, type Reading } from './gauge.ts'

/** What became of the spans of traces. */
export const createTraceFamilies = (counts: () => ExportCounts): Family[] => [
  createGauge({
    ...{ kind: 'counter', name: 'helix_trace_spans_exported' },
    help: 'Spans that the OpenTelemetry collector has accepted. Absent without traces.',
    read: () => counts().exported,
  }),
  createGauge({
    ...{ kind: 'counter', name: 'helix_trace_spans_dropped', labels: ['reason'] },
    help: 'Spans that were lost: too many were waiting, the collector rejected them, or could not be reached.',
    read: () => Object.entries(counts().dropped).map(([reason, spans]): Reading => [[reason], spans]),
  }),
  createGauge({
    name: 'helix_trace_spans_waiting',
    help: 'Spans that wait to be sent to the collector.',
    read: () => counts().waiting,
  }),
]
