import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { AuditActor } from '../store/audit-contract.ts'
import type { Store } from '../store/contract.ts'
import type { ListedOrganisation, SuspendedThing } from '../store/suspension-contract.ts'
import { auditEvent } from './audit-event.ts'

export type Suspended = {
  thing: SuspendedThing
  id: string
  keyIds: readonly string[]
  /** The request that suspends it, which may be one of its own and is not aborted. */
  requestId: string | null
}

type SuspensionsDependencies = {
  store: Pick<Store, 'suspensions' | 'keys'>
  clock: Clock
  /** Called once the change is durable, so that this process forgets the keys and aborts running requests. */
  onSuspended(suspended: Suspended): void
  onResumed(keyIds: readonly string[]): void
}

/** Accounts, organisations and keys that the owner of the server suspends and resumes. */
export interface Suspensions {
  /** Resolves to whether this changed anything. */
  suspend(by: AuditActor, thing: SuspendedThing, id: string, requestId?: string): Promise<boolean>
  resume(by: AuditActor, thing: SuspendedThing, id: string): Promise<boolean>
  organisations(): Promise<ListedOrganisation[]>
}

export const createSuspensions = (dependencies: SuspensionsDependencies): Suspensions => {
  const { store, clock, onSuspended, onResumed } = dependencies

  /** The audit of an organisation includes itself and its keys. An account belongs to no single organisation. */
  const findOrganisation = async (thing: SuspendedThing, id: string): Promise<string | null> => {
    if (thing === 'organisation') return id
    return thing === 'key' ? ((await store.keys.find('all', id))?.organisationId ?? null) : null
  }
  const set = async (actor: AuditActor, thing: SuspendedThing, id: string, suspendedAt: number | null) => {
    const action = `${thing}.${suspendedAt === null ? 'resumed' : 'suspended'}` as const
    const organisationId = await findOrganisation(thing, id)
    const event = auditEvent(action, actor, clock.now(), { organisationId, target: { kind: thing, id, name: null } })
    const result = await store.suspensions.set(thing, id, suspendedAt, event)
    if (result.outcome === 'done') return result
    throw result.outcome === 'owner' ? ApiError.of('owner_not_suspendable', {}) : notFound(thing, id)
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
    organisations: () => store.suspensions.organisations(),
  }
}

const notFound = (thing: SuspendedThing, id: string): ApiError => {
  const shown = { id: id.slice(0, 64) }
  if (thing === 'account') return ApiError.of('member_not_found', shown)
  return thing === 'key' ? ApiError.of('key_not_found', shown) : ApiError.of('organisation_not_found', shown)
}
