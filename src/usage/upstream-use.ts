import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { SingleTimer } from '../base/single-timer.ts'
import type { Settlement } from '../store/ledger-contract.ts'
import type { UpstreamUse, UpstreamUseRecords } from '../store/upstream-contract.ts'
import { isTimed } from './timed-tokens.ts'

export interface UpstreamUseWriter {
  /** Counts a request that has ended for the upstreams that it was sent to. */
  add(model: string, settlement: Settlement): void
  /** Writes what is left. */
  close(): Promise<void>
}

type UpstreamUseOptions = { records: UpstreamUseRecords; clock: Clock; log: Log }

const hourMs = 3_600_000
/** What a server that dies has not written yet is lost: these are figures, and the ledger has what is billed. */
const writeMs = 9_700
/** The longest period that pages show, and a day. */
const keptHours = 31 * 24
/** Upstreams, models and hours that wait to be written. More are not counted. */
const maxWaiting = 10_000
const maxPruned = 100

/**
 * Adds up what upstreams do by the hour, and writes it every few seconds: one statement, however many requests there were, and
 * none while there are none.
 */
export const openUpstreamUse = ({ records, clock, log }: UpstreamUseOptions): UpstreamUseWriter => {
  let waiting = new Map<string, UpstreamUse>()
  let prunedHour = 0
  let writing = Promise.resolve()
  const timer = new SingleTimer(clock, writeMs, () => {
    writing = write()
  })
  const find = (hour: number, upstream: string, model: string): UpstreamUse => {
    const key = JSON.stringify([hour, upstream, model])
    let use = waiting.get(key)
    if (use === undefined) {
      use = { hour, upstream, model, ...noSums }
      if (waiting.size < maxWaiting) waiting.set(key, use)
    }
    return use
  }
  const prune = async (): Promise<void> => {
    const hour = hourOf(clock.now())
    if (prunedHour === hour) return
    prunedHour = hour
    for (let count = 0; count < maxPruned && (await records.prune(hour - keptHours)) > 0; count += 1);
  }
  const write = async (): Promise<void> => {
    const written = waiting
    waiting = new Map()
    try {
      await records.add([...written.values()])
    } catch (error) {
      log.warn('upstream_use_not_written', { cause: errorText(error) })
      for (const use of written.values()) addUp(find(use.hour, use.upstream, use.model), use)
      if (waiting.size > 0) timer.start()
      return
    }
    await prune().catch((error: unknown) => log.warn('upstream_use_not_written', { cause: errorText(error) }))
  }
  return {
    add(model, settlement) {
      const { route, endedAt } = settlement
      if (route === undefined) return
      const { upstreams, failed = [] } = route
      const hour = hourOf(endedAt)
      for (const upstream of new Set([...upstreams, ...failed])) {
        const use = find(hour, upstream, model)
        use.requests += 1
        if (failed.includes(upstream)) use.errors += 1
      }
      const last = upstreams.at(-1)
      if (last !== undefined)
        addAnswer(find(hour, last, model), settlement, upstreams.length === 1 && failed.length === 0)
      timer.start()
    },
    async close() {
      timer.close()
      await writing
      if (waiting.size > 0) await write()
    },
  }
}

const hourOf = (at: number): number => Math.floor(at / hourMs)

const noSums = {
  ...{ requests: 0, errors: 0, firstTokens: 0, firstTokenMs: 0, timedTokens: 0, timedMs: 0 },
  ...{ promptTokens: 0, completionTokens: 0, costMicros: 0 },
}

/** `isOnly`: the times are those of one upstream. With several it cannot be said how long each took. */
const addAnswer = (use: UpstreamUse, settlement: Settlement, isOnly: boolean): void => {
  const { promptTokens, completionTokens, costMicros, outcome, route } = settlement
  use.promptTokens += promptTokens
  use.completionTokens += completionTokens
  use.costMicros += costMicros ?? 0
  // The first token of an answer that came whole came with its last.
  if (!isOnly || route?.timing === undefined) return
  const { firstTokenMs, answerMs } = route.timing
  use.firstTokens += 1
  use.firstTokenMs += Math.round(firstTokenMs)
  // A client that reads slowly and leaves says nothing about the upstream.
  if (outcome !== 'completed' || !isTimed(completionTokens, answerMs)) return
  use.timedTokens += completionTokens - 1
  use.timedMs += Math.round(answerMs)
}

const addUp = (use: UpstreamUse, more: UpstreamUse): void => {
  use.requests += more.requests
  use.errors += more.errors
  use.firstTokens += more.firstTokens
  use.firstTokenMs += more.firstTokenMs
  use.timedTokens += more.timedTokens
  use.timedMs += more.timedMs
  use.promptTokens += more.promptTokens
  use.completionTokens += more.completionTokens
  use.costMicros += more.costMicros
}
