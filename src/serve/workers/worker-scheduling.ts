import { ApiError } from '../../base/api-error.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Models } from '../../models/contract.ts'
import type { Slot } from '../../schedule/request-queue.ts'
import type { UpstreamOutcome } from '../../upstreams/pool/circuit-breaker.ts'
import type { UpstreamUse } from '../../upstreams/pool/upstream-state.ts'
import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'

type SchedulingDependencies = {
  models: Pick<Models, 'find'>
  upstreams: Pick<UpstreamSet, 'placementOf' | 'trafficOf'>
}

/** Something that a request waits for, or has. */
type Taken<Thing> = { waiting: AbortController; thing: Thing | null }

/** A request at an upstream. */
type Place = { use: UpstreamUse; endTraffic(isFailed: boolean): void }

type Calls = 'enter' | 'place'
type Notes = 'slotUsed' | 'slotLeft' | 'placeBegan' | 'placeLeft'

export interface WorkerScheduling {
  calls: { [Name in Calls]: (asks: AuthorityCalls[Name]['asks']) => Promise<AuthorityCalls[Name]['answers']> }
  notes: { [Name in Notes]: (value: AuthorityNotes[Name]) => void }
  /** The worker is gone: its slots and places are free. */
  end(): void
}

/** Slots and places at upstreams of the requests of one worker. */
export const createWorkerScheduling = ({ models, upstreams }: SchedulingDependencies): WorkerScheduling => {
  const slots: (Taken<Slot> | null)[] = []
  const places: (Taken<Place> | null)[] = []

  const leaveSlot = (taken: Taken<Slot> | null): void => {
    taken?.waiting.abort()
    taken?.thing?.release()
  }
  const leavePlace = (
    taken: Taken<Place> | null,
    outcome: UpstreamOutcome | null,
    answeredTokens: number | null = null,
  ): void => {
    taken?.waiting.abort()
    if (taken?.thing == null) return
    const { use, endTraffic } = taken.thing
    if (outcome !== null) use.end(outcome)
    if (answeredTokens !== null) use.answered(answeredTokens)
    use.release()
    endTraffic(outcome !== null && isFault(outcome))
  }
  return {
    calls: {
      async enter({ ticket, model, organisationId, ownerId, size }) {
        const taken: Taken<Slot> = { waiting: new AbortController(), thing: null }
        slots[ticket] = taken
        const pool = models.find(model)
        if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(model) })
        const slot = await pool.queue.enter({ organisationId, ownerId, size }, taken.waiting.signal)
        taken.thing = slot
        // It was left in the meantime.
        if (taken.waiting.signal.aborted) slot.release()
        return null
      },
      async place({ ticket, model, placing: { tried, accepted, ...placing } }) {
        const taken: Taken<Place> = { waiting: new AbortController(), thing: null }
        places[ticket] = taken
        const placement = upstreams.placementOf(model)
        if (placement === null) throw ApiError.of('model_unavailable', { model })
        const accepts = ({ name }: { name: string }): boolean => accepted.includes(name)
        const { signal } = taken.waiting
        const { member, use } = await placement.place({ ...placing, tried: new Set(tried), accepts }, signal)
        const traffic = upstreams.trafficOf(member.name)?.begin()
        taken.thing = { use, endTraffic: (isFailed) => traffic?.(isFailed) }
        if (signal.aborted) leavePlace(taken, null)
        return { upstream: member.name }
      },
    },
    notes: {
      slotUsed: ({ ticket, tokens }) => slots[ticket]?.thing?.used(tokens),
      slotLeft({ ticket, tokens }) {
        if (tokens !== null) slots[ticket]?.thing?.used(tokens)
        take(slots, ticket, leaveSlot)
      },
      placeBegan: ({ ticket }) => places[ticket]?.thing?.use.end({ type: 'began' }),
      placeLeft: ({ ticket, outcome, answeredTokens }) =>
        take(places, ticket, (taken) => leavePlace(taken, outcome, answeredTokens)),
    },
    end() {
      for (const taken of slots) leaveSlot(taken)
      for (const taken of places) leavePlace(taken, null)
      slots.length = 0
      places.length = 0
    },
  }
}

const take = <Thing>(all: (Thing | null)[], ticket: Ticket, leave: (thing: Thing | null) => void): void => {
  const one = all[ticket] ?? null
  all[ticket] = null
  leave(one)
}

const isFault = ({ type }: UpstreamOutcome): boolean => type === 'failed' || type === 'busy' || type === 'key_refused'
