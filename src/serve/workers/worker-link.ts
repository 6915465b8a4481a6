import type { ExportCounts } from '../../traces/span-exporter.ts'
import { createSharedEpoch, type SharedEpoch } from './shared-epoch.ts'

/** What the rest of a server tells its workers. */
type LinkedWorkers = {
  /** Running answers are checked again. */
  recheck(): void
  leaseLost(): void
  /** The list of models was changed. */
  modelsChanged(): void
  /** What their answers have sent so far is known to the ledger from now on. */
  readCounts(): void
  /** What became of the spans of each. */
  spanCounts(): readonly ExportCounts[]
}

/** The way from the parts of a server to its workers, which are opened last. Without workers nothing happens. */
export interface WorkerLink extends LinkedWorkers {
  readonly epoch: SharedEpoch
  /** Keys have changed: no worker uses what it knows about them, and running answers are checked again. */
  keysChanged(): void
  attach(workers: LinkedWorkers): void
}

export const createWorkerLink = (): WorkerLink => {
  const epoch = createSharedEpoch()
  let workers: LinkedWorkers | null = null
  let isDue = false
  return {
    epoch,
    keysChanged() {
      epoch.advance()
      if (workers === null || isDue) return
      isDue = true
      setImmediate(() => {
        isDue = false
        workers?.recheck()
      })
    },
    attach(opened) {
      workers = opened
    },
    recheck: () => workers?.recheck(),
    leaseLost: () => workers?.leaseLost(),
    modelsChanged: () => workers?.modelsChanged(),
    readCounts: () => workers?.readCounts(),
    spanCounts: () => workers?.spanCounts() ?? [],
  }
}
