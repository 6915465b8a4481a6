import type { Clock } from '../base/clock.ts'
import type { LiveList } from '../base/live-list.ts'
import type { LedgerRecords, RequestCounts } from '../store/ledger-contract.ts'
import type { WriteWatch } from './write-watch.ts'

/** The token counts of a running request: sent so far, and written to disk. */
export type Checkpointed = { readonly requestId: string; readonly counts: RequestCounts; checkpointed: RequestCounts }

type CheckpointsOptions = {
  records: Pick<LedgerRecords, 'checkpoint'>
  running: Pick<LiveList<Checkpointed>, 'size' | 'items'>
  clock: Clock
  watch: WriteWatch
}

/** Half of the second that may be missing after a crash; the other half is the store's. */
const checkpointEveryMs = 500

/** Writes the counts of running requests, all that changed in one call, for as long as any are running. */
export const createCheckpoints = ({ records, running, clock, watch }: CheckpointsOptions) => {
  let cancel: (() => void) | null = null
  let isWriting = false
  let isDue = false

  const write = async (): Promise<void> => {
    const changed = running.items().filter(({ counts, checkpointed }) => !areEqual(counts, checkpointed))
    if (changed.length === 0) return
    const checkpoints = changed.map(({ requestId, counts }) => ({ requestId, ...counts }))
    try {
      await records.checkpoint(checkpoints, clock.now())
      for (const [index, one] of changed.entries()) one.checkpointed = checkpoints[index] ?? one.checkpointed
      watch.succeeded('checkpoints')
    } catch (error) {
      watch.failed('checkpoints', error)
    }
  }
  const due = async (): Promise<void> => {
    isDue = true
    if (isWriting) return
    isWriting = true
    while (isDue) {
      isDue = false
      await write()
    }
    isWriting = false
  }
  const start = (): void => {
    cancel ??= clock.after(checkpointEveryMs, () => {
      cancel = null
      if (running.size === 0) return
      start()
      void due()
    })
  }
  return {
    /** A request has begun. */
    start,
    stop(): void {
      cancel?.()
      cancel = null
    },
  }
}

const areEqual = (one: RequestCounts, other: RequestCounts): boolean =>
  one.completionTokens === other.completionTokens &&
  one.promptTokens === other.promptTokens &&
  one.cachedTokens === other.cachedTokens &&
  one.reasoningTokens === other.reasoningTokens &&
  one.isEstimated === other.isEstimated
