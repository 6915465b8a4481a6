import type { Clock } from '../../base/clock.ts'
import type { Limiter, PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
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
  isReleased: boolean
}

type Calls = 'precheck' | 'admit' | 'extend' | 'reserve' | 'settle'
type Notes = 'released' | 'refused' | 'cancelled'

export interface WorkerAccounting {
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
  const forgetReleased = (ticket: Ticket, one: Held): void => {
    if (one.isReleased && one.entry === null) held[ticket] = null
  }
  return {
    calls: {
      async precheck({ ticket, caller, model }) {
        const pending = await limiter.precheck(caller, { model, isReplay: null })
        if (isEnded) pending.release()
        else held[ticket] = { pending, reservation: null, entry: null, createdAt: clock.now(), isReleased: false }
        return { headers: pending.headers(), isKept: bodies.isKept(caller.organisationId) }
      },
      async admit({ ticket, request }) {
        const one = find(ticket)
        const reservation = await one.pending.admit(request)
        if (isEnded) reservation.cancel()
        one.reservation = reservation
        return toAdmission(reservation)
      },
      extend: async ({ ticket, tokens }) => (await find(ticket).reservation?.extend(tokens)) ?? 0,
      async reserve({ ticket, record }) {
        const one = find(ticket)
        const entry = await ledger.reserve(record)
        one.entry = entry
        if (isEnded) settleDead(ticket, one, entry)
        return null
      },
      async settle({ ticket, ending }) {
        const one = find(ticket)
        if (one.entry === null) return null
        const { attempted } = settle(ticket, one, one.entry, ending)
        await attempted
        forgetReleased(ticket, one)
        return null
      },
    },
    notes: {
      released({ ticket }) {
        const one = find(ticket)
        one.pending.release()
        one.isReleased = true
        forgetReleased(ticket, one)
      },
      refused: ({ ticket, cpuMs }) => find(ticket).pending.refuse(cpuMs),
      cancelled({ ticket }) {
        find(ticket).reservation?.cancel()
      },
    },
    readCounts() {
      for (const [ticket, one] of held.entries()) if (one?.entry != null) one.entry.count(counts.read(ticket))
    },
    end() {
      isEnded = true
      for (const [ticket, one] of held.entries()) {
        if (one === null) continue
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
