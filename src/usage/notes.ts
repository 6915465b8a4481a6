import type { Clock } from '../base/clock.ts'
import type { LedgerRecords, RequestCounts } from '../store/ledger-contract.ts'
import type { WriteWatch } from './write-watch.ts'

/** What a running request was told, and what of it is on disk. */
export type Noted = { readonly requestId: string; readonly counts: RequestCounts; noted: RequestCounts }

type NotesOptions = {
  records: Pick<LedgerRecords, 'note'>
  running: ReadonlySet<Noted>
  clock: Clock
  watch: WriteWatch
}

/** Half of the second that may be missing after a crash; the other half is the store's. */
const noteEveryMs = 500

/** Writes down what running requests were told, all that changed in one call, for as long as any are running. */
export const createNotes = ({ records, running, clock, watch }: NotesOptions) => {
  let cancel: (() => void) | null = null
  let isWriting = false
  let isDue = false

  const write = async (): Promise<void> => {
    const changed = [...running].filter(({ counts, noted }) => !areEqual(counts, noted))
    if (changed.length === 0) return
    const notes = changed.map(({ requestId, counts }) => ({ requestId, ...counts }))
    try {
      await records.note(notes, clock.now())
      for (const [index, one] of changed.entries()) one.noted = notes[index] ?? one.noted
      watch.succeeded('notes')
    } catch (error) {
      watch.failed('notes', error)
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
    cancel ??= clock.after(noteEveryMs, () => {
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
