/**
 * When each key was last used. May import `store` and `base`. Promises that a request writes nothing: the times are kept in
 * memory and written in one batch, at most once a minute and at shutdown.
 */
import type { Clock } from '../base/clock.ts'
import { openDelayedWrite } from '../base/delayed-write.ts'
import { errorText, type Log } from '../base/log.ts'
import type { KeyRecords } from '../store/contract.ts'

export interface LastUsed {
  /** The key is being used now. */
  touch(keyId: string): void
  /** A time that is not written yet; null if the store is up to date. */
  unwritten(keyId: string): number | null
  /** Writes the rest. */
  close(): Promise<void>
}

type LastUsedDependencies = { records: Pick<KeyRecords, 'touch'>; clock: Clock; log: Log }

const intervalMs = 60_000

export const openLastUsed = ({ records, clock, log }: LastUsedDependencies): LastUsed => {
  let times = new Map<string, number>()
  let inFlight: ReadonlyMap<string, number> = new Map()

  const write = async (): Promise<void> => {
    if (times.size === 0) return
    inFlight = times
    times = new Map()
    const used = [...inFlight].map(([id, lastUsedAt]) => ({ id, lastUsedAt }))
    try {
      await records.touch(used)
    } catch (error) {
      log.warn('last_used_not_written', { keys: used.length, cause: errorText(error) })
      // Times that were added meanwhile are newer.
      times = new Map([...inFlight, ...times])
      later.schedule()
    }
    inFlight = new Map()
  }
  const later = openDelayedWrite(write, clock, intervalMs)

  return {
    touch(keyId) {
      times.set(keyId, clock.now())
      later.schedule()
    },
    unwritten: (keyId) => times.get(keyId) ?? inFlight.get(keyId) ?? null,
    close: later.close,
  }
}
