import type { ExportCounts } from '../../traces/span-exporter.ts'

const fields = 5

/**
 * What became of the spans of one worker, in memory that its authority reads for `/metrics`. It outlives the worker, and the
 * next one that opens it adds to it: counters must not begin again.
 */
export interface SharedSpanCounts {
  readonly memory: SharedArrayBuffer
  /** Of the worker that opened it. */
  write(counts: ExportCounts): void
  read(): ExportCounts
}

export const createSharedSpanCounts = (
  memory = new SharedArrayBuffer(fields * Float64Array.BYTES_PER_ELEMENT),
): SharedSpanCounts => {
  const numbers = new Float64Array(memory)
  const at = (index: number): number => numbers[index] ?? 0
  const read = (): ExportCounts => ({
    exported: at(0),
    dropped: { queue_full: at(1), rejected: at(2), unreachable: at(3) },
    waiting: at(4),
  })
  const { exported, dropped } = read()
  // What waited in a worker that died is gone with it.
  numbers[4] = 0
  return {
    memory,
    read,
    write(counts) {
      numbers[0] = exported + counts.exported
      numbers[1] = dropped.queue_full + counts.dropped.queue_full
      numbers[2] = dropped.rejected + counts.dropped.rejected
      numbers[3] = dropped.unreachable + counts.dropped.unreachable
      numbers[4] = counts.waiting
    },
  }
}
