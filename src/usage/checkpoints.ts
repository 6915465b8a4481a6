import type { Clock } from '../base/clock.ts'
import type { LiveList } from '../base/live-list.ts'
import { SingleTimer } from '../base/single-timer.ts'
import type { LedgerRecords, ProgressCheckpoint, RequestCounts } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import type { ReservationWriter } from './reservation-writer.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { spoolLine } from './spool/spool-record.ts'
import type { WriteWatch } from './write-watch.ts'

/** The token counts of a running request: sent so far, and written to disk. */
export type Checkpointed = { readonly requestId: string; readonly counts: RequestCounts; checkpointed: RequestCounts }

type CheckpointsOptions = {
  records: Pick<LedgerRecords, 'checkpoint'>
  reservations: Pick<ReservationWriter, 'isAway'>
  spool: SpoolFile | null
  running: Pick<LiveList<Checkpointed>, 'size' | 'items'>
  /** Called before they are read: counts that are kept elsewhere are taken over. */
  beforeCheckpoint?: (() => void) | undefined
  clock: Clock
  watch: WriteWatch
}

type WriteState =
  | 'idle'
  | 'writing'
  /** It still writes, and the next write is due already: it follows at once. */
  | 'overdue'

/** Half of the second that may be missing after a crash; the other half is the store's. */
const checkpointEveryMs = 500

/** Writes the counts of running requests, all that changed in one call, for as long as any are running. */
export class Checkpoints {
  readonly #options: CheckpointsOptions
  readonly #timer: SingleTimer
  #state: WriteState = 'idle'

  constructor(options: CheckpointsOptions) {
    this.#options = options
    this.#timer = new SingleTimer(options.clock, checkpointEveryMs, () => {
      if (options.running.size === 0) return
      this.start()
      this.#due()
    })
  }

  /** A request has begun. */
  start(): void {
    this.#timer.start()
  }

  /** What was spooled is to be removed: the next write has all counts. */
  writeAgain(): void {
    for (const one of this.#options.running.items()) one.checkpointed = nothing
  }

  stop(): void {
    this.#timer.close()
  }

  #due(): void {
    if (this.#state === 'idle') void this.#writeUntilIdle()
    else this.#state = 'overdue'
  }

  async #writeUntilIdle(): Promise<void> {
    do {
      this.#state = 'writing'
      await this.#write()
    } while (this.#isOverdue())
    this.#state = 'idle'
  }

  #isOverdue(): boolean {
    return this.#state === 'overdue'
  }

  async #write(): Promise<void> {
    const { running, beforeCheckpoint, watch } = this.#options
    beforeCheckpoint?.()
    const changed = running.items().filter(({ counts, checkpointed }) => !areEqual(counts, checkpointed))
    if (changed.length === 0) return
    const checkpoints = changed.map(({ requestId, counts }) => ({ requestId, ...counts }))
    try {
      await this.#writeOrSpool(checkpoints)
      for (const [index, one] of changed.entries()) one.checkpointed = checkpoints[index] ?? one.checkpointed
      watch.succeeded('checkpoints')
    } catch (error) {
      watch.failed('checkpoints', error)
    }
  }

  async #writeOrSpool(checkpoints: readonly ProgressCheckpoint[]): Promise<void> {
    const { records, reservations, spool, clock } = this.#options
    try {
      if (spool === null || !reservations.isAway) return await records.checkpoint(checkpoints, clock.now())
    } catch (error) {
      if (spool === null || !(error instanceof StoreUnavailable)) throw error
    }
    await spool.append(checkpoints.map((checkpoint) => spoolLine({ kind: 'checkpoint', checkpoint })))
  }
}

const nothing: RequestCounts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 }

const areEqual = (one: RequestCounts, other: RequestCounts): boolean =>
  one.completionTokens === other.completionTokens &&
  one.promptTokens === other.promptTokens &&
  one.cachedTokens === other.cachedTokens &&
  one.reasoningTokens === other.reasoningTokens &&
  one.isEstimated === other.isEstimated
