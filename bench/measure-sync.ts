import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const writes = 300
const bytes = Buffer.alloc(4096)

/** How long the disk takes to make 4 KiB durable. A request waits for that twice: for its reservation and its settlement. */
export const measureSync = (): { median: number; p99: number } => {
  const directory = mkdtempSync(join(tmpdir(), 'helix-bench-sync-'))
  const file = openSync(join(directory, 'file'), 'w')
  const timesMs: number[] = []
  try {
    for (let write = 0; write < writes; write += 1) {
      const startMs = performance.now()
      writeSync(file, bytes)
      fdatasyncSync(file)
      timesMs.push(performance.now() - startMs)
    }
  } finally {
    closeSync(file)
    rmSync(directory, { recursive: true })
  }
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number): number => Number((sorted[Math.floor(writes * share)] ?? Number.NaN).toFixed(2))
  return { median: at(0.5), p99: at(0.99) }
}
