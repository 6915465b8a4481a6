import type { Clock } from '../../base/clock.ts'

type RepeatedCheck = {
  intervalMs: number
  /** Null: there was nothing to check this time. Never rejects. */
  check(): Promise<boolean | null>
  /** Two checks in a row have failed. */
  onFailing(): void
  clock: Clock
  random(): number
}

/** A single failure may be an accident: it is checked again soon, before anything is done about it. */
const againMs = 5000
const failuresInRow = 2

/** Repeats a check until the returned function is called. Checks of several upstreams do not all happen at once. */
export const repeatCheck = ({ intervalMs, check, onFailing, clock, random }: RepeatedCheck): (() => void) => {
  let isEnded = false
  let failures = 0
  let cancel = (): void => {}
  const after = (delayMs: number): void => {
    cancel = clock.after(delayMs, () => void once())
  }
  const once = async (): Promise<void> => {
    const isGood = await check()
    if (isEnded) return
    failures = isGood === false ? failures + 1 : 0
    if (failures >= failuresInRow) {
      failures = 0
      onFailing()
    }
    after(failures > 0 ? Math.min(againMs, intervalMs) : intervalMs * (0.8 + 0.4 * random()))
  }
  after(intervalMs * random())
  return () => {
    isEnded = true
    cancel()
  }
}
