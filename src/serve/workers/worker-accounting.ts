import type { Clock } from '../../base/clock.ts'
import type { Caller, Limiter, PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ending, Entry, Ledger } from '../../usage/ledger-contract.ts'
import type { Admission, AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'
import type { SharedCounts } from './shared-counts.ts'

type AccountingDependencies = {
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept'>
  counts: Pick<SharedCounts, 'read'>
  clock: Clock
}

/** A request of the worker, from its precheck to its end. */
type Held = {
  pending: PendingRequest
  reservation: TokenReservation | null
  /** Open: it is not settled. */
  entry: Entry | null
  createdAt: number
}

type Calls = 'precheck' | 'begin' | 'extend' | 'settle'
type Notes = 'released' | 'refused' | 'refusedBefore'

export interface WorkerAccounting {
  /** Resolves when the request is in the ledger; rejects if it is not admitted. */
  begun(ticket: Ticket): Promise<unknown>
  calls: { [Name in Calls]: (asks: AuthorityCalls[Name]['asks']) => Promise<AuthorityCalls[Name]['answers']> }
  notes: { [Name in Notes]: (value: AuthorityNotes[Name]) => void }
  /** What was sent so far is known to the ledger from now on. */
  readCounts(): void
  /** The worker is gone: its requests are settled as those of a dead server are, and what they reserved is released. */
  end(): void
}

/** Limits and ledger of the requests of one worker. */
export const createWorkerAccounting = (dependencies: AccountingDependencies): WorkerAccounting => {
  const { limiter, ledger, bodies, counts, clock } = dependencies
  const held: (Held | null)[] = []
  const beginning: Promise<unknown>[] = []
  let isEnded = false

  const find = (ticket: Ticket): Held => {
    const one = held[ticket]
    if (one == null) throw new Error('a worker speaks of a request that it does not have')
    return one
  }
  /** In one step for ledger and limits. */
  const settle = (ticket: Ticket, one: Held, entry: Entry, ending: Ending) => {
    const used = counts.read(ticket)
    entry.count(used)
    one.entry = null
    const settling = entry.settle(ending)
    one.reservation?.settle(used, settling.durable)
    return settling
  }
  const settleDead = (ticket: Ticket, one: Held, entry: Entry): void =>
    void settle(ticket, one, entry, {
      ...{ outcome: 'server_died', finishReason: null, error: null, queueMs: null, firstTokenMs: null },
      durationMs: Math.max(0, clock.now() - one.createdAt),
    })
  const forget = (ticket: Ticket, { pending }: Held): void => {
    pending.release()
    held[ticket] = null
  }
  const check = async (ticket: Ticket, caller: Caller, model: string): Promise<Held> => {
    const pending = await limiter.precheck(caller, { model, isReplay: null })
    const one: Held = { pending, reservation: null, entry: null, createdAt: clock.now() }
    if (isEnded) pending.release()
    else held[ticket] = one
    return one
  }
  const admit = async (ticket: Ticket, one: Held, { request, record }: AuthorityCalls['begin']['asks']) => {
    const reservation = await one.pending.admit(request)
    one.reservation = reservation
    const { reservedTokens, price, reservedMicros, applied: limits } = reservation
    const createdAt = clock.now()
    one.createdAt = createdAt
    try {
      one.entry = await ledger.reserve({ ...record, reservedTokens, price, reservedMicros, limits, createdAt })
    } catch (error) {
      reservation.cancel()
      throw error
    }
    if (isEnded) settleDead(ticket, one, one.entry)
    return reservation
  }
  const begin = async (asked: AuthorityCalls['begin']['asks']): Promise<AuthorityCalls['begin']['answers']> => {
    const { ticket, caller, request, record } = asked
    const one = caller === null ? find(ticket) : await check(ticket, caller, request.model)
    try {
      const reservation = await admit(ticket, one, asked)
      return { ...toAdmission(reservation), isKept: bodies.isKept(record.organisationId) }
    } catch (error) {
      // For its worker it has never begun.
      if (caller !== null) forget(ticket, one)
      throw error
    }
  }
  return {
    begun: (ticket) => beginning[ticket] ?? Promise.resolve(),
    calls: {
      async precheck({ ticket, caller, model }) {
        const { pending } = await check(ticket, caller, model)
        return { headers: pending.headers(), isKept: bodies.isKept(caller.organisationId) }
      },
      begin(asked) {
        const begun = begin(asked)
        beginning[asked.ticket] = begun
        return begun
      },
      extend: async ({ ticket, tokens }) => (await find(ticket).reservation?.extend(tokens)) ?? 0,
      async settle({ ticket, ending }) {
        const one = find(ticket)
        if (one.entry === null) return null
        const { attempted } = settle(ticket, one, one.entry, ending)
        await attempted
        forget(ticket, one)
        return null
      },
    },
    notes: {
      released({ ticket }) {
        const one = find(ticket)
        // Its worker could not go on with it.
        if (one.entry !== null) settleDead(ticket, one, one.entry)
        forget(ticket, one)
      },
      refused: ({ ticket, cpuMs }) => find(ticket).pending.refuse(cpuMs),
      refusedBefore: ({ caller, model, cpuMs }) =>
        void limiter.precheck(caller, { model, isReplay: null }).then(
          (pending) => {
            pending.refuse(cpuMs)
            pending.release()
          },
          // It would have been refused anyway.
          () => {},
        ),
    },
    readCounts() {
      for (const [ticket, one] of held.entries()) if (one?.entry != null) one.entry.count(counts.read(ticket))
    },
    end() {
      isEnded = true
      for (const [ticket, one] of held.entries()) {
        // A request of which nothing was asked has left a hole.
        if (one == null) continue
        if (one.entry !== null) settleDead(ticket, one, one.entry)
        // Those that are settled stay settled.
        one.reservation?.cancel()
        one.pending.release()
      }
      held.length = 0
    },
  }
}

const toAdmission = (reservation: TokenReservation): Admission => {
  const { reservedTokens, price, reservedMicros, applied } = reservation
  const headers = reservation.headers()
  return {
    ...{ reservedTokens, price, reservedMicros, applied, headers },
    headersUnused: headers['x-ratelimit-limit-tokens'] === undefined ? headers : reservation.headers(0),
  }
}
