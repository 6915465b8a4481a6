import type { Clock } from '../base/clock.ts'
import { openDelayedWrite } from '../base/delayed-write.ts'
import type { Log } from '../base/log.ts'
import type { BodyRecords, StoredBodies, StoredText } from '../store/body-contract.ts'
import { createWriteWatch } from './write-watch.ts'

/**
 * Stores the bodies of requests and answers, for organisations that have switched this on. For others it costs one
 * lookup in a set. Requests do not wait for the write, and what waits to be written is bounded.
 */
export interface BodyWriter {
  isKept(organisationId: string): boolean
  /** The request has ended. */
  add(bodies: StoredBodies): void
  /** Bodies are stored from the next request on. */
  switchedOn(organisationId: string): void
  /** Nothing more is stored; resolves once everything stored has been deleted. */
  switchedOff(organisationId: string): Promise<void>
  /** Another node may have switched it on or off. */
  reload(): Promise<void>
  /** Writes what is still waiting. */
  close(): Promise<void>
}

type BodyWriterOptions = {
  records: Pick<BodyRecords, 'keeping' | 'keep' | 'removeUnwanted'>
  clock: Clock
  log: Log
  /** It was switched on or off here. */
  onSwitched?(organisationId: string): void
  /** Another node has switched it on or off, for one organisation or several. */
  onSwitchedElsewhere?(): void
}

/** For the request and for the answer, each. */
const maxTextBytes = 262_144
const delayMs = 500
const maxWaitingBytes = 33_554_432
/** In one transaction, which blocks all others. */
const writtenAtOnceBytes = 4_194_304

export const openBodyWriter = async (options: BodyWriterOptions): Promise<BodyWriter> => {
  const { records, clock, log, onSwitched, onSwitchedElsewhere } = options
  let keeping = new Set(await records.keeping())
  const watch = createWriteWatch(log)
  const waiting = new WaitingBodies()

  /** False if the write failed. */
  const writeSome = async (): Promise<boolean> => {
    const leftOut = waiting.takeLeftOut()
    if (leftOut > 0) log.warn('bodies_left_out', { requests: leftOut })
    const taken = waiting.takeSome()
    if (taken.length === 0) return true
    try {
      await records.keep(taken)
      watch.succeeded('bodies')
      return true
    } catch (error) {
      watch.failed('bodies', error)
      waiting.putBack(taken)
      return false
    }
  }
  const later = openDelayedWrite(
    async () => {
      await writeSome()
      if (!waiting.isEmpty) later.schedule()
    },
    clock,
    delayMs,
  )

  return {
    isKept: (organisationId) => keeping.has(organisationId),
    add(bodies) {
      waiting.put(bodies)
      later.schedule()
    },
    switchedOn(organisationId) {
      keeping.add(organisationId)
      onSwitched?.(organisationId)
    },
    async switchedOff(organisationId) {
      keeping.delete(organisationId)
      onSwitched?.(organisationId)
      while ((await records.removeUnwanted(organisationId)) > 0);
    },
    async reload() {
      const before = keeping
      keeping = new Set(await records.keeping())
      if (before.symmetricDifference(keeping).size > 0) onSwitchedElsewhere?.()
    },
    async close() {
      await later.close()
      while (!waiting.isEmpty && (await writeSome()));
    },
  }
}

/** A bounded queue: what does not fit is left out and counted. */
class WaitingBodies {
  #waiting: StoredBodies[] = []
  #bytes = 0
  #leftOut = 0

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  put(bodies: StoredBodies): void {
    const bytes = bodiesLength(bodies)
    if (this.#bytes + bytes > maxWaitingBytes) {
      this.#leftOut += 1
      return
    }
    this.#waiting.push(bodies)
    this.#bytes += bytes
  }

  /** As many as one transaction writes. */
  takeSome(): StoredBodies[] {
    let bytes = 0
    const end = this.#waiting.findIndex((bodies) => {
      bytes += bodiesLength(bodies)
      return bytes > writtenAtOnceBytes
    })
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end))
    for (const bodies of taken) this.#bytes -= bodiesLength(bodies)
    return taken
  }

  /** Before newer ones, which are left out if all together are too many. */
  putBack(taken: readonly StoredBodies[]): void {
    const newer = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    for (const bodies of [...taken, ...newer]) this.put(bodies)
  }

  /** How many were left out since the last call. */
  takeLeftOut(): number {
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut
  }
}

const bodiesLength = ({ request, answer }: StoredBodies): number => request.text.length + (answer?.text.length ?? 0)

/** Cuts a text to the length that is stored. */
export const cutText = (text: string): StoredText => {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxTextBytes) return { text, isCut: false }
  // Half a character at the end is left out.
  return {
    text: bytes
      .subarray(0, maxTextBytes)
      .toString()
      .replace(/\uFFFD+$/, ''),
    isCut: true,
  }
}
