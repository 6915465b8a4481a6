import type { Clock } from '../base/clock.ts'
import { createLiveList } from '../base/live-list.ts'
import type { LedgerRecords, ReplayRecord, Settlement } from '../store/ledger-contract.ts'
import { batchPerTurn } from './batch-per-turn.ts'
import type { Settling } from './ledger-contract.ts'
import type { WriteWatch } from './write-watch.ts'

/** Writes settlements, those of one turn together. Those that cannot be written are kept and retried until they can. */
export interface SettlementWriter {
  add(settlement: Settlement, replay: ReplayRecord | undefined): Settling
  /** Tries the remaining ones one last time; resolves to the number that could not be written. */
  close(): Promise<number>
}

type Kept = { settlement: Settlement; replay: ReplayRecord | undefined; resolve: () => void }
type SettlementWriterOptions = { records: Pick<LedgerRecords, 'settle'>; clock: Clock; watch: WriteWatch }

const retryEveryMs = 1000

export const openSettlementWriter = ({ records, clock, watch }: SettlementWriterOptions): SettlementWriter => {
  let kept: Kept[] = []
  const writing = createLiveList<Promise<void>>()
  let cancelRetry: (() => void) | null = null

  const write = async (items: readonly Kept[]): Promise<void> => {
    try {
      await records.settle(
        items.map(({ settlement }) => settlement),
        items.flatMap(({ replay }) => replay ?? []),
      )
      for (const { resolve } of items) resolve()
    } catch (error) {
      watch.failed('settlements', error)
      kept.push(...items)
      cancelRetry ??= clock.after(retryEveryMs, () => void retry())
    }
  }
  const track = (work: Promise<void>): Promise<void> => {
    return work.finally(writing.add(work))
  }
  /** One by one: a single one that the store refuses must not delay the others. */
  const retry = async (): Promise<void> => {
    cancelRetry?.()
    cancelRetry = null
    const again = kept
    kept = []
    await Promise.all(again.map((item) => track(write([item]))))
    if (kept.length === 0) watch.succeeded('settlements')
  }
  const addSoon = batchPerTurn((items: Kept[]) => write(items))
  let newestBatch: Promise<void> | null = null

  return {
    add(settlement, replay) {
      const { promise: durable, resolve } = Promise.withResolvers<void>()
      const attempted = addSoon({ settlement, replay, resolve })
      if (attempted !== newestBatch) void track(attempted)
      newestBatch = attempted
      return { durable, attempted }
    },
    async close() {
      while (writing.size > 0) await Promise.all(writing.items())
      if (kept.length > 0) await retry()
      cancelRetry?.()
      cancelRetry = null
      return kept.length
    },
  }
}
