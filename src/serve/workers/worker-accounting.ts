import type { Clock } from '../../base/clock.ts'
import type { Caller, Limiter, PendingRequest, TokenRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { ToBeReserved } from '../../store/ledger-contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ending, Entry, Ledger } from '../../usage/ledger-contract.ts'
import type { CallerNumber, NumberedCaller } from './caller-numbers.ts'
import type { Admission, AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'
import type { SharedCounts } from './shared-counts.ts'

type AccountingDependencies = {
  limiter: Pick<Limiter, 'precheck' | 'checkAndAdmit'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept'>
  counts: Pick<SharedCounts, 'read'>
  clock: Clock
}

/** A request of the worker, from its precheck to its end. */
type Held = {
  /** Null: it was checked together with its admission. */
  pending: PendingRequest | null
  reservation: TokenReservation | null
  /** Open: it is not settled. */
  entry: Entry | null
  createdAt: number
}

type Calls = 'precheck' | 'begin' | 'extend' | 'settle'
type Notes = 'released' | 'refused' | 'refusedBefore'

/** What the queue needs to know of a request. */
export type BegunRequest = Pick<NumberedCaller, 'organisationId' | 'ownerId'> &
  Pick<TokenRequest, 'model' | 'promptTokens' | 'completionTokens'>

type Beginning = { request: BegunRequest; begun: Promise<unknown> }

export interface WorkerAccounting {
  /** Resolves when the request is in the ledger; rejects if it is not admitted. */
  begun(ticket: Ticket): Promise<BegunRequest>
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
  const beginning: Beginning[] = []
  /** By their numbers. */
  const callers: NumberedCaller[] = []
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
    pending?.release()
    held[ticket] = null
  }
  const findCaller = ({ number, caller }: CallerNumber): NumberedCaller => {
    if (caller !== null) callers[number] = caller
    const known = callers[number]
    if (known === undefined) throw new Error('a worker speaks of a caller that it has not told of')
    return known
  }
  const hold = (ticket: Ticket, pending: PendingRequest | null): Held => {
    const one: Held = { pending, reservation: null, entry: null, createdAt: clock.now() }
    if (isEnded) pending?.release()
    else held[ticket] = one
    return one
  }
  const check = async (ticket: Ticket, caller: Caller, model: string): Promise<Held> =>
    hold(ticket, await limiter.precheck(caller, { model, isReplay: null }))
  /** With one lookup of the limits, where that is possible. */
  const checkAndAdmit = async (ticket: Ticket, request: TokenRequest): Promise<Held> => {
    if (limiter.checkAndAdmit !== undefined) {
      const reservation = await limiter.checkAndAdmit(request)
      const one = hold(ticket, null)
      one.reservation = reservation
      return one
    }
    const one = await check(ticket, request, request.model)
    try {
      await admit(one, request)
      return one
    } catch (error) {
      // For its worker it has never begun.
      forget(ticket, one)
      throw error
    }
  }
  const admit = async (one: Held, request: AuthorityCalls['begin']['asks']['request']): Promise<void> => {
    if (one.pending !== null) one.reservation = await one.pending.admit(request)
  }
  const enterInLedger = async (ticket: Ticket, one: Held, record: ToBeReserved): Promise<TokenReservation> => {
    const { reservation } = one
    if (reservation === null) throw new Error('it was not admitted')
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
  const begin = async (
    { ticket, isChecked, request, record }: AuthorityCalls['begin']['asks'],
    { organisationId, key }: NumberedCaller,
  ): Promise<AuthorityCalls['begin']['answers']> => {
    const one = isChecked ? find(ticket) : await checkAndAdmit(ticket, { ...request, organisationId, key })
    if (isChecked) await admit(one, request)
    try {
      const reservation = await enterInLedger(ticket, one, { ...record, organisationId, keyId: key?.id ?? null })
      return { ...toAdmission(reservation), isKept: bodies.isKept(organisationId) }
    } catch (error) {
      if (!isChecked) forget(ticket, one)
      throw error
    }
  }
  return {
    async begun(ticket) {
      const one = beginning[ticket]
      if (one === undefined) throw new Error('a worker asks for the slot of a request that has not begun')
      await one.begun
      return one.request
    },
    calls: {
      async precheck({ ticket, caller, model }) {
        const { pending } = await check(ticket, caller, model)
        return { headers: pending?.headers() ?? {}, isKept: bodies.isKept(caller.organisationId) }
      },
      begin(asked) {
        const caller = findCaller(asked.caller)
        const begun = begin(asked, caller)
        const { organisationId, ownerId } = caller
        const { model, promptTokens, completionTokens } = asked.request
        beginning[asked.ticket] = { begun, request: { organisationId, ownerId, model, promptTokens, completionTokens } }
        return begun
      },
      extend: async ({ ticket, tokens }) => (await find(ticket).reservation?.extend(tokens)) ?? 0,
      async settle({ ticket, ending }) {
        const one = find(ticket)
        if (one.entry === null) return 'recorded'
        const fate = await settle(ticket, one, one.entry, ending).attempted
        forget(ticket, one)
        return fate
      },
    },
    notes: {
      released({ ticket }) {
        const one = find(ticket)
        // Its worker could not go on with it.
        if (one.entry !== null) settleDead(ticket, one, one.entry)
        forget(ticket, one)
      },
      refused: ({ ticket, cpuMs }) => find(ticket).pending?.refuse(cpuMs),
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
        one.pending?.release()
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
