import type { ExportCounts } from './span-exporter.ts'

/** What became of the spans of several exporters. */
export const addExportCounts = (all: readonly ExportCounts[]): ExportCounts => {
  const sum: ExportCounts = { exported: 0, dropped: { queue_full: 0, rejected: 0, unreachable: 0 }, waiting: 0 }
  for (const { exported, dropped, waiting } of all) {
    sum.exported += exported
    sum.dropped.queue_full += dropped.queue_full
    sum.dropped.rejected += dropped.rejected
    sum.dropped.unreachable += dropped.unreachable
    sum.waiting += waiting
  }
  return sum
}
