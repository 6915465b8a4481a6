import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { AuditActor, AuditEvent } from '../store/audit-contract.ts'
import type { Store } from '../store/contract.ts'
import type { ListedOrganisation, SuspendedThing } from '../store/suspension-contract.ts'

/** Something that may not be used from now on. */
export type Suspended = {
  thing: SuspendedThing
  id: string
  keyIds: readonly string[]
  /** The request that stops it, where that may be one of its own. */
  requestId: string | null
}

type SuspensionRooms = {
  store: Pick<Store, 'suspensions' | 'keys'>
  clock: Clock
  /** Told once it is durable: whoever holds keys in memory forgets them, whatever runs ends. */
  onSuspended(suspended: Suspended): void
  onResumed(keyIds: readonly string[]): void
}

/** What the owner of the server keeps from being used, and lets go again. */
export interface Suspensions {
  /** Whether it was not so before. */
  suspend(by: AuditActor, thing: SuspendedThing, id: string, requestId?: string): Promise<boolean>
  resume(by: AuditActor, thing: SuspendedThing, id: string): Promise<boolean>
  organisations(): Promise<ListedOrganisation[]>
}

export const createSuspensions = ({ store, clock, onSuspended, onResumed }: SuspensionRooms): Suspensions => {
  const { suspensions } = store

  /** An organisation and its keys stand in its own audit too; an account is everywhere, and stands in none. */
  const organisationOf = async (thing: SuspendedThing, id: string): Promise<string | null> => {
    if (thing === 'organisation') return id
    return thing === 'key' ? ((await store.keys.find('all', id))?.organisationId ?? null) : null
  }
  const set = async (actor: AuditActor, thing: SuspendedThing, id: string, at: number | null) => {
    const event: AuditEvent = {
      at: clock.now(),
      organisationId: await organisationOf(thing, id),
      actor,
      action: `${thing}.${at === null ? 'resumed' : 'suspended'}`,
      target: { kind: thing, id, name: null },
      details: {},
    }
    const done = await suspensions.set(thing, id, at, event)
    if (done.outcome === 'done') return done
    throw done.outcome === 'owner' ? ApiError.of('owner_not_suspendable', {}) : notFound(thing, id)
  }
  return {
    async suspend(by, thing, id, requestId) {
      const { changed, keyIds } = await set(by, thing, id, clock.now())
      onSuspended({ thing, id, keyIds, requestId: requestId ?? null })
      return changed
    },
    async resume(by, thing, id) {
      const { changed, keyIds } = await set(by, thing, id, null)
      onResumed(keyIds)
      return changed
    },
    organisations: () => suspensions.organisations(),
  }
}

const notFound = (thing: SuspendedThing, id: string): ApiError => {
  const shown = { id: id.slice(0, 64) }
  if (thing === 'account') return ApiError.of('member_not_found', shown)
  return thing === 'key' ? ApiError.of('key_not_found', shown) : ApiError.of('organisation_not_found', shown)
}
