import { errorMessage } from '../base/caught-error.ts'
import type { Clock } from '../base/clock.ts'
import type { CheckState, NodeCheck } from '../nodes/node-check.ts'

export type Finding = { state: CheckState; detail: string }

/** `isThorough`: somebody waits for the answer, so it may open connections. */
type FindOut = (isThorough: boolean) => Promise<Finding> | Finding

/** What this process knows about its own dependencies. The parts of a server add theirs when they are opened. */
export interface SelfChecks {
  add(check: string, findOut: FindOut): void
  /**
   * Checks everything, in the order in which it was added. Unless it is thorough, what was found
   * within the last second is used again.
   */
  run(how?: { isThorough: boolean }): Promise<readonly NodeCheck[]>
  /** As of the last run, without waiting; empty before the first. */
  latest(): readonly NodeCheck[]
}

const freshMs = 1_000
/** A part that does not answer must not keep the others from being reported. A little less than what other parts wait for. */
const longestMs = 4_900
/** In a cluster, every heartbeat writes them. */
const longestDetail = 300

type Found = Finding & { check: string; checkedMs: number; changedMs: number }
type Run = { startedMs: number; found: Promise<void> }

export const createSelfChecks = (clock: Clock): SelfChecks => {
  const added = new Map<string, FindOut>()
  const last = new Map<string, Found>()
  let running: Run | null = null

  const check = async (name: string, findOut: FindOut, isThorough: boolean): Promise<void> => {
    const finding = await withinTime(clock, async () => findOut(isThorough))
    const before = last.get(name)
    const checkedMs = clock.monotonicMs()
    const changedMs = before?.state === finding.state ? before.changedMs : checkedMs
    last.set(name, { state: finding.state, detail: oneLine(finding.detail), check: name, checkedMs, changedMs })
  }
  const latest = (): NodeCheck[] => {
    const nowMs = clock.monotonicMs()
    return [...added.keys()].flatMap((name) => {
      const found = last.get(name)
      if (found === undefined) return []
      const { state, detail, checkedMs, changedMs } = found
      return [
        { check: name, state, detail, ageMs: Math.round(nowMs - checkedMs), sinceMs: Math.round(nowMs - changedMs) },
      ]
    })
  }
  return {
    add: (name, findOut) => void added.set(name, findOut),
    latest,
    async run({ isThorough } = { isThorough: false }) {
      const startedMs = clock.monotonicMs()
      const isFresh = !isThorough && running !== null && startedMs - running.startedMs < freshMs
      if (!isFresh) {
        const all = [...added].map(([name, findOut]) => check(name, findOut, isThorough))
        running = { startedMs, found: Promise.all(all).then(() => {}) }
      }
      await running?.found
      return latest()
    },
  }
}

const withinTime = (clock: Clock, findOut: () => Promise<Finding>): Promise<Finding> =>
  new Promise((resolve) => {
    const cancel = clock.after(longestMs, () =>
      resolve({ state: 'failed', detail: `no answer within ${Math.ceil(longestMs / 1000)} seconds` }),
    )
    const settle = (finding: Finding): void => {
      cancel()
      resolve(finding)
    }
    findOut().then(settle, (error: unknown) => settle({ state: 'failed', detail: errorMessage(error) }))
  })

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, longestDetail)
