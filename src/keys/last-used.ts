/**
 * When each key was last used. May import `store` and `base`. Promises that a request writes nothing: the moments wait in
 * memory and go to the store in one batch, at most once a minute and at the end.
 */
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { KeyRecords } from '../store/contract.ts'

export interface LastUsed {
  /** This key is used now. */
  touch(keyId: string): void
  /** What is not written yet; null where there is nothing newer than in the store. */
  unwritten(keyId: string): number | null
  /** Writes what is left. */
  close(): Promise<void>
}

type LastUsedOptions = { records: Pick<KeyRecords, 'touch'>; clock: Clock; log: Log }

const pauseMs = 60_000

export const createLastUsed = ({ records, clock, log }: LastUsedOptions): LastUsed => {
  let moments = new Map<string, number>()
  let writing: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let inFlight: ReadonlyMap<string, number> = new Map()

  const write = async (): Promise<void> => {
    if (moments.size === 0) return
    inFlight = moments
    moments = new Map()
    const used = [...inFlight].map(([id, lastUsedAt]) => ({ id, lastUsedAt }))
    try {
      await records.touch(used)
    } catch (error) {
      log.warn('last_used_not_written', { keys: used.length, cause: errorText(error) })
      // What came meanwhile is newer.
      moments = new Map([...inFlight, ...moments])
    }
    inFlight = new Map()
  }

  const schedule = (): void => {
    cancel ??= clock.after(pauseMs, () => {
      cancel = null
      writing = write().finally(() => {
        writing = null
        if (moments.size > 0) schedule()
      })
    })
  }

  return {
    touch(keyId) {
      moments.set(keyId, clock.now())
      if (writing === null) schedule()
    },
    unwritten: (keyId) => moments.get(keyId) ?? inFlight.get(keyId) ?? null,
    async close() {
      await writing
      cancel?.()
      cancel = null
      await write()
    },
  }
}
