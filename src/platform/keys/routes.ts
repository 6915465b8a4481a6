import { toAuditActor } from '../../accounts/actor.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { shorten } from '../../http/schema/scalars.ts'
import { keyError } from '../../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { Member } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { AuditRecords } from '../../store/audit-contract.ts'
import { reaches } from '../../store/decide-member-change.ts'
import { eventJson } from '../audit/event-json.ts'
import { type Key, keyOperations } from '../contract/keys.ts'
import { createActor } from '../create-actor.ts'
import { keyJson } from './key-json.ts'
import { type ListKeysDependencies, listKeys } from './list-keys.ts'
import { type ShowKeyDependencies, showKey } from './show-key.ts'

type KeyRoutesDependencies = Omit<ListKeysDependencies, 'keys'> &
  ShowKeyDependencies & { keys: KeyRegistry; audit: Pick<AuditRecords, 'list'> }

const eventsOnPage = 20

/** The keys of the organisation that the session is for. Those of other organisations do not exist here. */
export const createKeyRoutes = (dependencies: KeyRoutesDependencies): Route[] => {
  const { keys, accounts, audit } = dependencies
  const keysAs = (exchange: Exchange, member: Member) => keys.by(toAuditActor(createActor(exchange, member)))
  const requireKey = async ({ organisationId }: Member, id: string): Promise<ShownKey> => {
    const key = await keys.find({ organisationId }, id)
    if (key === null) throw ApiError.of('key_not_found', { id: shorten(id) })
    return key
  }
  const show = async (key: ShownKey): Promise<Key> =>
    keyJson(key, await accounts.teams.memberEmails(key.organisationId))

  return [
    createRoute(keyOperations.listKeys, ({ caller }) => listKeys(caller.organisationId, dependencies)),
    createRoute(keyOperations.showKey, async ({ caller, params }) =>
      showKey(await requireKey(caller, params.key), dependencies),
    ),
    createRoute(keyOperations.listKeyEvents, async ({ caller, params, query }) => {
      const { organisationId } = caller
      requireOwn(await requireKey(caller, params.key), caller)
      const only = { actor: null, action: null, from: null, until: null, limit: eventsOnPage }
      const before = query.before ?? null
      const page = await audit.list({ organisationId, target: params.key, before, ...only })
      return { data: page.items.map(eventJson), hasMore: page.hasMore }
    }),
    createRoute(keyOperations.createKey, async ({ exchange, caller, body }) => {
      const { organisationId, accountId: createdBy } = caller
      // With such a key, everything can be done to other keys that an admin can do.
      if (body.scopes?.includes('manage')) requireManager(caller)
      const created = await keysAs(exchange, caller).create({ ...body, organisationId, createdBy })
      if (created.outcome !== 'created') throw keyError('', created)
      return { ...(await show(created.record)), key: created.key }
    }),
    createRoute(keyOperations.changeKey, async ({ exchange, caller, params, body: { was, ...changes } }) => {
      const { organisationId } = caller
      requireOwn(await requireKey(caller, params.key), caller)
      // A limit that an admin set cannot be lifted by the member whom it limits.
      if (changes.limits !== undefined) requireManager(caller)
      const changed = await keysAs(exchange, caller).change({ organisationId }, params.key, changes, was?.limits)
      if (changed.outcome !== 'changed') throw keyError(params.key, changed)
      return show(changed.record)
    }),
    createRoute(keyOperations.rotateKey, async ({ exchange, caller, params, body }) => {
      const { organisationId } = caller
      requireOwn(await requireKey(caller, params.key), caller)
      const rotated = await keysAs(exchange, caller).rotate({ organisationId }, params.key, body.graceMs)
      if (rotated.outcome !== 'rotated') throw keyError(params.key, rotated)
      return { ...(await show(rotated.record)), key: rotated.key }
    }),
    ...([keyOperations.pauseKey, keyOperations.unpauseKey] as const).map((operation) =>
      createRoute(operation, async ({ exchange, caller, params }) => {
        const { organisationId } = caller
        requireOwn(await requireKey(caller, params.key), caller)
        const isPaused = operation === keyOperations.pauseKey
        const set = await keysAs(exchange, caller).setPaused({ organisationId }, params.key, isPaused)
        if (set.outcome !== 'changed') throw keyError(params.key, set)
        return show(set.record)
      }),
    ),
    createRoute(keyOperations.revokeKey, async ({ exchange, caller, params, body }) => {
      const { organisationId } = caller
      const key = await requireKey(caller, params.key)
      requireOwn(key, caller)
      if (body.name !== key.name) throw ApiError.of('confirmation_mismatch', {}, { param: 'name' })
      await keysAs(exchange, caller).revoke({ organisationId }, params.key)
      return show(await requireKey(caller, params.key))
    }),
  ]
}

/** Members manage the keys they created. Admins manage all keys, and only they manage those that manage others. */
const requireOwn = ({ createdBy, scopes }: ShownKey, member: Member): void => {
  if (createdBy !== member.accountId || scopes.includes('manage')) requireManager(member)
}

const requireManager = ({ role }: Member): void => {
  const { least } = abilities.manageKeys
  if (!reaches(role, least)) throw ApiError.of('role_too_low', { role: least })
}
