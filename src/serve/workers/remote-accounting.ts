import { ApiError } from '../../base/api-error.ts'
import type {
  AdmittedWork,
  Caller,
  Limiter,
  PendingRequest,
  TokenRequest,
  TokenReservation,
} from '../../limits/limiter-contract.ts'
import type { RequestCounts } from '../../store/ledger-contract.ts'
import type { Ending, Entry, Ledger, Settling } from '../../usage/ledger-contract.ts'
import { noCounts } from '../../usage/ledger-entry.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { createCallerNumbers } from './caller-numbers.ts'
import type { KnownCallers } from './known-callers.ts'
import type { Admission, Ticket } from './protocol.ts'
import type { SharedCounts } from './shared-counts.ts'
import type { AskedSlot, SlotRequest } from './slot-request.ts'
import type { Tickets } from './tickets.ts'

type RemoteDependencies = {
  port: AuthorityPort
  tickets: Tickets
  counts: Pick<SharedCounts, 'write'>
  callers: KnownCallers
  numberOf: ReturnType<typeof createCallerNumbers>
  /** Asks for the slot of a request that begins. */
  askSlot(asked: AskedSlot): SlotRequest
}

/** Limits and ledger of a worker: its authority decides and records. */
export const createRemoteAccounting = (
  dependencies: RemoteDependencies,
): { limiter: Pick<Limiter, 'precheck'>; ledger: Pick<Ledger, 'reserve'> } => {
  const { port, tickets, callers } = dependencies
  return {
    limiter: {
      async precheck({ organisationId, key }, { model, bodyBytes = null }) {
        const ticket = tickets.take()
        if (ticket === null) throw ApiError.of('queue_full', {}, { retryAfterMs: 1000 })
        // Nothing else of the key is needed, and all of it would be copied.
        const caller = { organisationId, key: key === null ? null : { id: key.id, limits: key.limits } }
        if (callers.mayCheckLater(caller, bodyBytes)) return new RemoteRequest(ticket, { caller, model }, dependencies)
        try {
          const { headers, isKept } = await port.call('precheck', { ticket, caller, model })
          callers.passed(caller, isKept)
          return new RemoteRequest(ticket, { caller, model, headers }, dependencies)
        } catch (error) {
          callers.refused(caller)
          tickets.giveBack(ticket)
          throw error
        }
      },
    },
    ledger: {
      async reserve(_record, held) {
        if (!(held instanceof RemoteReservation)) throw new Error('a worker reserves only what its authority admitted')
        return held.request.open()
      },
    },
  }
}

/** `headers`: after a precheck. */
type Arrived = { caller: Caller; model: string; headers?: Record<string, string> }

/** The life of a request, as its authority knows it. */
type RequestState =
  /** It has not heard of it: the check comes with the admission. */
  | 'unknown'
  | 'checked'
  /** It is in the ledger, until it is settled. */
  | 'begun'
  | 'settling'
  | 'settled'

/** A request that passed the precheck, or is checked later. Its ticket is given back once it is released and settled. */
class RemoteRequest implements PendingRequest {
  readonly ticket: Ticket
  readonly #arrived: Arrived
  readonly #dependencies: RemoteDependencies
  readonly #leaveUnchecked: () => void
  #state: RequestState
  #slot: SlotRequest | null = null
  #isReleased = false

  constructor(ticket: Ticket, arrived: Arrived, dependencies: RemoteDependencies) {
    this.ticket = ticket
    this.#arrived = arrived
    this.#dependencies = dependencies
    this.#state = arrived.headers === undefined ? 'unknown' : 'checked'
    this.#leaveUnchecked = this.#state === 'unknown' ? dependencies.callers.enterUnchecked() : () => {}
  }

  async admit(
    request: Omit<TokenRequest, keyof Caller>,
    { record: { organisationId, keyId, ...record }, ownerId, choices }: AdmittedWork = neverWithout(),
  ): Promise<TokenReservation> {
    const { port, counts, callers, numberOf, askSlot } = this.#dependencies
    const { ticket } = this
    const { caller } = this.#arrived
    counts.write(ticket, noCounts)
    const isChecked = this.#state === 'checked'
    const begun = port.call('begin', { ticket, caller: numberOf({ ...caller, ownerId }), isChecked, request, record })
    // In the same message.
    const slot = askSlot({ request: ticket, model: request.model, ownerId, choices })
    try {
      const admission = await begun
      this.#state = 'begun'
      this.#slot = slot
      callers.passed(caller, admission.isKept)
      return new RemoteReservation(this, admission, slot, port)
    } catch (error) {
      callers.refused(caller)
      throw error
    } finally {
      this.#leaveUnchecked()
    }
  }

  admitWithoutTokens(): void {
    throw new Error('a worker answers only requests that generate')
  }

  /** Bound, because it is passed on as a callback. */
  readonly headers = (): Record<string, string> => this.#arrived.headers ?? {}

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#leaveUnchecked()
    this.#slot?.end()
    if (this.#state === 'checked' || this.#state === 'begun')
      this.#dependencies.port.note('released', { ticket: this.ticket })
    this.#leaveIfEnded()
  }

  refuse(cpuMs = 0): void {
    const { port, callers } = this.#dependencies
    const { caller, model } = this.#arrived
    if (this.#isReleased) return
    callers.refused(caller)
    if (this.#state === 'checked') port.note('refused', { ticket: this.ticket, cpuMs })
    else if (this.#state === 'unknown') port.note('refusedBefore', { caller, model, cpuMs })
  }

  /** Its entry in the ledger. */
  open(): Entry {
    return new RemoteEntry(this.ticket, this.#dependencies, {
      onSettling: () => {
        this.#state = 'settling'
      },
      onSettled: () => {
        this.#state = 'settled'
        this.#leaveIfEnded()
      },
    })
  }

  #leaveIfEnded(): void {
    if (this.#isReleased && this.#state !== 'settling') this.#dependencies.tickets.giveBack(this.ticket)
  }
}

const neverWithout = (): never => {
  throw new Error('a worker answers only requests that are entered in the ledger')
}

export class RemoteReservation implements TokenReservation {
  readonly request: RemoteRequest
  /** The slot that was asked for with it. */
  readonly slot: SlotRequest
  readonly price: Admission['price']
  readonly reservedMicros: Admission['reservedMicros']
  readonly applied: Admission['applied']
  /** No getter: see `engine/remote/answer-reader.ts`. */
  reservedTokens: number
  readonly #admission: Admission
  readonly #port: AuthorityPort
  #isEnded = false

  constructor(request: RemoteRequest, admission: Admission, slot: SlotRequest, port: AuthorityPort) {
    this.request = request
    this.slot = slot
    this.price = admission.price
    this.reservedMicros = admission.reservedMicros
    this.applied = admission.applied
    this.reservedTokens = admission.reservedTokens
    this.#admission = admission
    this.#port = port
  }

  /** Bound, like the others: they are passed on as callbacks. */
  readonly extend = async (tokens: number): Promise<number> => {
    if (this.#isEnded) return 0
    const added = await this.#port.call('extend', { ticket: this.request.ticket, tokens })
    this.reservedTokens += added
    return added
  }

  readonly headers = (usedTokens?: number): Record<string, string> => {
    const { headers, headersUnused } = this.#admission
    const { 'x-ratelimit-remaining-tokens': remaining } = headersUnused
    if (this.#isEnded || usedTokens === undefined || remaining === undefined) return headers
    return { ...headersUnused, 'x-ratelimit-remaining-tokens': String(Math.max(0, Number(remaining) - usedTokens)) }
  }

  /** The authority does it together with the entry in the ledger. */
  readonly settle = (): void => {
    this.#isEnded = true
  }

  /** Not in a worker: what was admitted is in the ledger, too. */
  readonly cancel = (): void => {
    this.#isEnded = true
  }
}

type EntryNews = { onSettling(): void; onSettled(): void }

class RemoteEntry implements Entry {
  readonly #ticket: Ticket
  readonly #dependencies: RemoteDependencies
  readonly #news: EntryNews
  #settling: Settling | null = null

  constructor(ticket: Ticket, dependencies: RemoteDependencies, news: EntryNews) {
    this.#ticket = ticket
    this.#dependencies = dependencies
    this.#news = news
  }

  count(counts: RequestCounts): void {
    // Afterwards the ticket may be that of another request.
    if (this.#settling === null) this.#dependencies.counts.write(this.#ticket, counts)
  }

  settle(ending: Ending): Settling {
    this.#settling ??= this.#settle(ending)
    return this.#settling
  }

  #settle(ending: Ending): Settling {
    this.#news.onSettling()
    const attempted = this.#dependencies.port.call('settle', { ticket: this.#ticket, ending }).then(
      (fate) => {
        this.#news.onSettled()
        return fate
      },
      // The authority is gone, and this worker with it.
      () => 'recorded' as const,
    )
    // Only the authority needs to know when it is durable, for its limits.
    return { durable: attempted, attempted }
  }
}
