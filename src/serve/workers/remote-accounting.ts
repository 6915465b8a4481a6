import { ApiError } from '../../base/api-error.ts'
import type { TurnPort } from '../../base/turn-port.ts'
import type { Caller, Limiter, PendingRequest, TokenRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { RequestCounts, ReservationRecord } from '../../store/ledger-contract.ts'
import type { Ending, Entry, Ledger, Settling } from '../../usage/ledger-contract.ts'
import { noCounts } from '../../usage/ledger-entry.ts'
import type { Admission, AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'
import type { SharedCounts } from './shared-counts.ts'
import type { Tickets } from './tickets.ts'

export type AuthorityPort = TurnPort<AuthorityCalls, AuthorityNotes>

type RemoteDependencies = {
  port: AuthorityPort
  tickets: Tickets
  counts: Pick<SharedCounts, 'write'>
  /** Whether the bodies of an organisation are stored, as of its last precheck. */
  onKept(organisationId: string, isKept: boolean): void
}

/** Limits and ledger of a worker: its authority decides and records. */
export const createRemoteAccounting = (
  dependencies: RemoteDependencies,
): { limiter: Pick<Limiter, 'precheck'>; ledger: Pick<Ledger, 'reserve'> } => {
  const { port, tickets, onKept } = dependencies
  return {
    limiter: {
      async precheck(caller, { model }) {
        const ticket = tickets.take()
        if (ticket === null) throw ApiError.of('queue_full', {}, { retryAfterMs: 1000 })
        const { organisationId, key } = caller
        // Nothing else of the key is needed, and all of it would be copied.
        const limited = { organisationId, key: key === null ? null : { id: key.id, limits: key.limits } }
        try {
          const { headers, isKept } = await port.call('precheck', { ticket, caller: limited, model })
          onKept(organisationId, isKept)
          return new RemoteRequest(ticket, headers, dependencies)
        } catch (error) {
          tickets.giveBack(ticket)
          throw error
        }
      },
    },
    ledger: {
      async reserve(record, held) {
        if (!(held instanceof RemoteReservation)) throw new Error('a worker reserves only what its authority admitted')
        return held.request.reserve(record)
      },
    },
  }
}

/** A request that passed the precheck. Its ticket is given back once it is released and settled. */
class RemoteRequest implements PendingRequest {
  readonly ticket: Ticket
  readonly #headers: Record<string, string>
  readonly #dependencies: RemoteDependencies
  #isReleased = false
  #isOpen = false

  constructor(ticket: Ticket, headers: Record<string, string>, dependencies: RemoteDependencies) {
    this.ticket = ticket
    this.#headers = headers
    this.#dependencies = dependencies
  }

  async admit(request: Omit<TokenRequest, keyof Caller>): Promise<TokenReservation> {
    const admission = await this.#dependencies.port.call('admit', { ticket: this.ticket, request })
    return new RemoteReservation(this, admission, this.#dependencies.port)
  }

  admitWithoutTokens(): void {
    throw new Error('a worker answers only requests that generate')
  }

  /** Bound, because it is passed on as a callback. */
  readonly headers = (): Record<string, string> => this.#headers

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#dependencies.port.note('released', { ticket: this.ticket })
    this.#leaveIfEnded()
  }

  refuse(cpuMs = 0): void {
    if (!this.#isReleased) this.#dependencies.port.note('refused', { ticket: this.ticket, cpuMs })
  }

  async reserve(record: ReservationRecord): Promise<Entry> {
    const { port, counts } = this.#dependencies
    counts.write(this.ticket, noCounts)
    await port.call('reserve', { ticket: this.ticket, record })
    this.#isOpen = true
    return new RemoteEntry(this.ticket, this.#dependencies, () => {
      this.#isOpen = false
      this.#leaveIfEnded()
    })
  }

  #leaveIfEnded(): void {
    if (this.#isReleased && !this.#isOpen) this.#dependencies.tickets.giveBack(this.ticket)
  }
}

class RemoteReservation implements TokenReservation {
  readonly request: RemoteRequest
  readonly price: Admission['price']
  readonly reservedMicros: Admission['reservedMicros']
  readonly applied: Admission['applied']
  /** No getter: see `engine/remote/answer-reader.ts`. */
  reservedTokens: number
  readonly #admission: Admission
  readonly #port: AuthorityPort
  #isEnded = false

  constructor(request: RemoteRequest, admission: Admission, port: AuthorityPort) {
    this.request = request
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

  readonly cancel = (): void => {
    if (!this.#isEnded) this.#port.note('cancelled', { ticket: this.request.ticket })
    this.#isEnded = true
  }
}

class RemoteEntry implements Entry {
  readonly #ticket: Ticket
  readonly #dependencies: RemoteDependencies
  readonly #onSettled: () => void
  #settling: Settling | null = null

  constructor(ticket: Ticket, dependencies: RemoteDependencies, onSettled: () => void) {
    this.#ticket = ticket
    this.#dependencies = dependencies
    this.#onSettled = onSettled
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
    const attempted = this.#dependencies.port.call('settle', { ticket: this.#ticket, ending }).then(
      this.#onSettled,
      // The authority is gone, and this worker with it.
      () => {},
    )
    // Only the authority needs to know when it is durable, for its limits.
    return { durable: attempted, attempted }
  }
}
