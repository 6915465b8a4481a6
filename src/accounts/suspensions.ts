import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { AuditEvent } from '../store/audit-contract.ts'
import type { Store } from '../store/contract.ts'
import type { ListedOrganisation, SuspendedThing } from '../store/suspension-contract.ts'
import { actorOf, type Doer } from './doer.ts'

/** Something that stops at once. */
export type Stopped = {
  thing: SuspendedThing
  id: string
  keyIds: readonly string[]
  /** The request that stops it. */
  requestId: string
}

type SuspensionRooms = {
  store: Pick<Store, 'suspensions' | 'keys'>
  clock: Clock
  /** Told once it is durable: whoever holds keys in memory forgets them, whatever runs ends. */
  onSuspended(stopped: Stopped): void
  onResumed(keyIds: readonly string[]): void
}

/** What the owner of the server keeps from being used, and lets go again. */
export interface Suspensions {
  suspend(by: Doer & { requestId: string }, thing: SuspendedThing, id: string): Promise<void>
  resume(by: Doer, thing: SuspendedThing, id: string): Promise<void>
  organisations(): Promise<ListedOrganisation[]>
}

export const createSuspensions = ({ store, clock, onSuspended, onResumed }: SuspensionRooms): Suspensions => {
  const { suspensions } = store

  /** An organisation and its keys stand in its own audit too; an account is everywhere, and stands in none. */
  const organisationOf = async (thing: SuspendedThing, id: string): Promise<string | null> => {
    if (thing === 'organisation') return id
    return thing === 'key' ? ((await store.keys.find('all', id))?.organisationId ?? null) : null
  }
  const set = async (by: Doer, thing: SuspendedThing, id: string, at: number | null): Promise<readonly string[]> => {
    const event: AuditEvent = {
      at: clock.now(),
      organisationId: await organisationOf(thing, id),
      actor: actorOf(by),
      action: `${thing}.${at === null ? 'resumed' : 'suspended'}`,
      target: { kind: thing, id, name: null },
      details: {},
    }
    const done = await suspensions.set(thing, id, at, event)
    if (done.outcome === 'done') return done.keyIds
    throw done.outcome === 'owner' ? ApiError.of('owner_not_suspendable', {}) : notFound(thing, id)
  }
  return {
    async suspend(by, thing, id) {
      const keyIds = await set(by, thing, id, clock.now())
      onSuspended({ thing, id, keyIds, requestId: by.requestId })
    },
    async resume(by, thing, id) {
      onResumed(await set(by, thing, id, null))
    },
    organisations: () => suspensions.organisations(),
  }
}

const notFound = (thing: SuspendedThing, id: string): ApiError => {
  const shown = { id: id.slice(0, 64) }
  if (thing === 'account') return ApiError.of('member_not_found', shown)
  return thing === 'key' ? ApiError.of('key_not_found', shown) : ApiError.of('organisation_not_found', shown)
}
