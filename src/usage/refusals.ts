import type { Clock } from '../base/clock.ts'
import { openDelayedWrite } from '../base/delayed-write.ts'
import type { Log } from '../base/log.ts'
import type { Refusal, RequestLogRecords } from '../store/request-log-contract.ts'
import { createWriteWatch } from './write-watch.ts'

/**
 * Writes down which requests were refused, for their organisation to see. Nothing depends on it: nobody waits for it, of a
 * flood only the beginning is kept, and a server that dies loses what was not written yet.
 */
export interface Refusals {
  add(refusal: Omit<Refusal, 'leftOut'>): void
  /** Writes what is still to be written. */
  close(): Promise<void>
}

type RefusalsOptions = {
  records: Pick<RequestLogRecords, 'refuse'>
  clock: Clock
  log: Log
  /** Something of this organisation was written down. */
  onWritten(organisationId: string): void
}

const delayMs = 500
/** What may wait at once, of all and of one organisation: a flood of one leaves room for the others. */
const mostWaiting = 1000
const mostOfOne = 100

export const openRefusals = ({ records, clock, log, onWritten }: RefusalsOptions): Refusals => {
  const watch = createWriteWatch(log)
  let waiting = new Map<string, Refusal[]>()
  let count = 0
  let leftOut = 0

  const put = (refusal: Refusal): void => {
    const { organisationId } = refusal
    const ofOne = waiting.get(organisationId) ?? []
    if (count < mostWaiting && ofOne.length < mostOfOne) {
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
  /** In front of what came meanwhile. */
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
