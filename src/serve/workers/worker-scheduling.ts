import { ApiError } from '../../base/api-error.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Models } from '../../models/contract.ts'
import type { Slot } from '../../schedule/request-queue.ts'
import type { UpstreamOutcome } from '../../upstreams/pool/circuit-breaker.ts'
import type { UpstreamUse } from '../../upstreams/pool/upstream-state.ts'
import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'
import type { BegunRequest } from './worker-accounting.ts'

type SchedulingDependencies = {
  models: Pick<Models, 'find'>
  upstreams: Pick<UpstreamSet, 'placementOf' | 'trafficOf'>
  /** A request of the worker, once it is in the ledger. */
  begun(request: Ticket): Promise<BegunRequest>
}

/** Something that a request waits for, or has. */
type Taken<Thing> = {
  waiting: AbortController
  thing: Thing | null
  isLeft: boolean
  /** Its worker was not answered yet. */
  isAsked: boolean
}

/** The slots of a request: its own, and those of further choices. */
type Slots = { own: Slot; extras: (() => void)[] }

/** A request at an upstream. */
type Place = { use: UpstreamUse; endTraffic(isFailed: boolean): void }

type Calls = 'enter' | 'extraSlot' | 'yieldSlot' | 'place'
type Notes = 'slotUsed' | 'extraLeft' | 'slotLeft' | 'placeBegan' | 'placeLeft'

export interface WorkerScheduling {
  calls: { [Name in Calls]: (asks: AuthorityCalls[Name]['asks']) => Promise<AuthorityCalls[Name]['answers']> }
  notes: { [Name in Notes]: (value: AuthorityNotes[Name]) => void }
  /** The worker is gone: its slots and places are free. */
  end(): void
}

/** Slots and places at upstreams of the requests of one worker. */
export const createWorkerScheduling = ({ models, upstreams, begun }: SchedulingDependencies): WorkerScheduling => {
  const slots: (Taken<Slots> | null)[] = []
  const places: (Taken<Place> | null)[] = []

  const leaveSlot = (taken: Taken<Slots> | null): void => {
    if (taken === null) return
    leave(taken)
    if (taken.thing !== null) releaseAll(taken.thing)
  }
  const leavePlace = (
    taken: Taken<Place> | null,
    outcome: UpstreamOutcome | null,
    answeredTokens: number | null = null,
  ): void => {
    if (taken === null) return
    leave(taken)
    if (taken.thing === null) return
    const { use, endTraffic } = taken.thing
    if (outcome !== null) use.end(outcome)
    if (answeredTokens !== null) use.answered(answeredTokens)
    use.release()
    endTraffic(outcome !== null && isFault(outcome))
  }
  const place = async (
    model: string,
    taken: Taken<Place>,
    { tried, accepted, ...placing }: AuthorityCalls['place']['asks']['placing'],
  ): Promise<string> => {
    const placement = upstreams.placementOf(model)
    if (placement === null) throw ApiError.of('model_unavailable', { model })
    const accepts = ({ name }: { name: string }): boolean => accepted?.includes(name) ?? true
    const { signal } = taken.waiting
    const { member, use } = await placement.place({ ...placing, tried: new Set(tried), accepts }, signal)
    const traffic = upstreams.trafficOf(member.name)?.begin()
    taken.thing = { use, endTraffic: (isFailed) => traffic?.(isFailed) }
    taken.isAsked = false
    if (taken.isLeft) leavePlace(taken, null)
    return member.name
  }
  return {
    calls: {
      async enter({ ticket, request, choices, place: placeTicket }) {
        const taken = begin<Slots>()
        slots[ticket] = taken
        const { model, organisationId, ownerId, promptTokens, completionTokens } = await begun(request)
        const size = { promptTokens, completionTokens, choices }
        const pool = models.find(model)
        if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(model) })
        const { waiting } = taken
        const own = await pool.queue.enter({ organisationId, ownerId, size }, waiting.signal)
        const given: Slots = { own, extras: [] }
        taken.thing = given
        // It was left in the meantime.
        if (taken.isLeft) own.release()
        else while (given.extras.length < choices - 1 && takeExtra(given));
        const extras = given.extras.length
        if (placeTicket === null || taken.isLeft) {
          taken.isAsked = false
          return { upstream: null, extras }
        }
        const placed: Taken<Place> = { ...begin<Place>(), waiting }
        places[placeTicket] = placed
        const tokens = promptTokens + completionTokens
        try {
          return { upstream: await place(model, placed, { ...anyPlacing, ownerId, tokens }), extras }
        } catch (error) {
          releaseAll(given)
          throw error
        } finally {
          taken.isAsked = false
        }
      },
      async extraSlot({ ticket }) {
        const given = slots[ticket]?.thing ?? null
        return given !== null && takeExtra(given)
      },
      async yieldSlot({ ticket }) {
        const taken = slots[ticket] ?? null
        const regained = taken?.thing?.own.yield(taken.waiting.signal) ?? null
        if (taken === null || regained === null) return null
        // It may be left while it waits.
        taken.isAsked = true
        await regained.finally(() => {
          taken.isAsked = false
        })
        return null
      },
      async place({ ticket, model, placing }) {
        const taken = begin<Place>()
        places[ticket] = taken
        return { upstream: await place(model, taken, placing) }
      },
    },
    notes: {
      slotUsed: ({ ticket, tokens }) => slots[ticket]?.thing?.own.used(tokens),
      extraLeft: ({ ticket }) => slots[ticket]?.thing?.extras.pop()?.(),
      slotLeft({ ticket, tokens }) {
        if (tokens !== null) slots[ticket]?.thing?.own.used(tokens)
        take(slots, ticket, leaveSlot)
      },
      placeBegan: ({ ticket, isWhole }) => places[ticket]?.thing?.use.end({ type: 'began', isWhole }),
      placeLeft: ({ ticket, outcome, answeredTokens }) =>
        take(places, ticket, (taken) => leavePlace(taken, outcome, answeredTokens)),
    },
    end() {
      for (const taken of slots) leaveSlot(taken ?? null)
      for (const taken of places) leavePlace(taken ?? null, null)
      slots.length = 0
      places.length = 0
    },
  }
}

const takeExtra = ({ own, extras }: Slots): boolean => {
  const release = own.tryExtra()
  if (release !== null) extras.push(release)
  return release !== null
}

const releaseAll = ({ own, extras }: Slots): void => {
  own.release()
  for (const release of extras.splice(0)) release()
}

/** Any upstream of the model may have it. */
const anyPlacing = { prefixKeys: [], isContinuation: false, tried: [], accepted: null }

const begin = <Thing>(): Taken<Thing> => ({
  waiting: new AbortController(),
  thing: null,
  isLeft: false,
  isAsked: true,
})

const hasLeft = new Error('its worker does not want it any more')

const leave = (taken: Taken<unknown>): void => {
  taken.isLeft = true
  // Without a reason, an error with its stack would be created each time.
  if (taken.isAsked) taken.waiting.abort(hasLeft)
}

const take = <Thing>(all: (Thing | null)[], ticket: Ticket, leave: (thing: Thing | null) => void): void => {
  const one = all[ticket] ?? null
  all[ticket] = null
  leave(one)
}

const isFault = ({ type }: UpstreamOutcome): boolean =>
  type === 'failed' || type === 'busy' || type === 'key_refused' || type === 'quota_exceeded'
