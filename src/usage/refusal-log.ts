import type { Clock } from '../base/clock.ts'
import { openDelayedWrite } from '../base/delayed-write.ts'
import type { Log } from '../base/log.ts'
import type { Refusal, RequestLogRecords } from '../store/request-log-contract.ts'
import { createWriteWatch } from './write-watch.ts'

/**
 * Records refused requests for the request log. Nothing waits for it: of many at once only the first are recorded, and
 * a server that dies loses what has not been written yet.
 */
export interface RefusalLog {
  add(refusal: Omit<Refusal, 'leftOut'>): void
  /** Writes what is still waiting. */
  close(): Promise<void>
}

type RefusalLogOptions = {
  records: Pick<RequestLogRecords, 'refuse'>
  clock: Clock
  log: Log
  /** Something of this organisation was written. */
  onWritten(organisationId: string): void
}

const delayMs = 500
/** How many may wait at once, in total and for one organisation, so that one cannot use up the space of the others. */
const maxWaiting = 1000
const maxOfOne = 100

export const openRefusalLog = ({ records, clock, log, onWritten }: RefusalLogOptions): RefusalLog => {
  const watch = createWriteWatch(log)
  let waiting = new Map<string, Refusal[]>()
  let count = 0
  let leftOut = 0

  const put = (refusal: Refusal): void => {
    const { organisationId } = refusal
    const ofOne = waiting.get(organisationId) ?? []
    if (count < maxWaiting && ofOne.length < maxOfOne) {
      waiting.set(organisationId, ofOne)
      ofOne.push(refusal)
      count += 1
      return
    }
    leftOut += 1 + refusal.leftOut
    const last = ofOne.at(-1)
    if (last !== undefined) last.leftOut += 1 + refusal.leftOut
  }
  const takeAll = (): Map<string, Refusal[]> => {
    const taken = waiting
    waiting = new Map()
    count = 0
    return taken
  }
  /** Before those that arrived in the meantime. */
  const putBack = (unwritten: Map<string, Refusal[]>): void => {
    const newer = takeAll()
    for (const refusals of [...unwritten.values(), ...newer.values()]) for (const refusal of refusals) put(refusal)
  }
  const write = async (): Promise<void> => {
    if (leftOut > 0) log.warn('refusals_left_out', { requests: leftOut })
    leftOut = 0
    const taken = takeAll()
    if (taken.size === 0) return
    try {
      await records.refuse([...taken.values()].flat())
      watch.succeeded('refusals')
    } catch (error) {
      watch.failed('refusals', error)
      putBack(taken)
      later.schedule()
      return
    }
    for (const organisationId of taken.keys()) onWritten(organisationId)
  }
  const later = openDelayedWrite(write, clock, delayMs)

  return {
    add(refusal) {
      put({ ...refusal, leftOut: 0 })
      later.schedule()
    },
    close: later.close,
  }
}
