import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { keyError } from '../../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { KeyCaller } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import { defaultLimit, listJson, unknownCursor } from '../openai/lists.ts'
import { readKeyFields, wireName } from './key-body.ts'
import { keyJson } from './key-json.ts'
import { keyOperations } from './operations.ts'

type KeysDependencies = { keys: KeyRegistry; bodyLimitBytes: number }

const dayInSeconds = 86_400

/**
 * The keys of the caller's organisation, for programs with a management key. Such a key cannot extend its rights: it neither
 * creates nor changes management keys, and the only one it can rotate or revoke is itself.
 */
export const createKeyRoutes = ({ keys, bodyLimitBytes }: KeysDependencies): Route[] => {
  const keysAs = (exchange: Exchange, caller: KeyCaller) => keys.by(toAuditActor(exchange, caller))
  const requireKey = async ({ organisationId }: KeyCaller, id: string): Promise<ShownKey> => {
    const key = await keys.find({ organisationId }, id)
    if (key === null) throw keyError(id, { outcome: 'not_found' })
    return key
  }
  /** A key without the scope `manage`, or the caller's own. */
  const requireOwnOrPlain = async (caller: KeyCaller, asked: string): Promise<ShownKey> => {
    const key = await requireKey(caller, asked)
    if (key.scopes.includes('manage') && key.id !== caller.keyId) throw ApiError.of('management_key_protected', {})
    return key
  }

  return [
    createRoute(keyOperations.listKeys, async ({ caller: { organisationId }, query }) => {
      const { after, limit = defaultLimit, order = 'asc' } = query
      const all = await keys.list({ organisationId })
      if (order === 'desc') all.reverse()
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      if (after !== undefined && start === 0) throw unknownCursor(after)
      return listJson(all.slice(start, start + limit).map(keyJson), start + limit < all.length)
    }),
    createRoute(
      keyOperations.createKey,
      async ({ exchange, caller, body: { name, scopes, ...sent } }) => {
        const { organisationId, key } = caller
        if (scopes?.includes('manage')) throw ApiError.of('management_key_protected', {}, { param: 'scopes' })
        const rights = scopes === undefined ? {} : { scopes }
        const wanted = { name, ...rights, ...readKeyFields(sent), organisationId, createdBy: key.createdBy }
        const created = await keysAs(exchange, caller).create(wanted)
        if (created.outcome !== 'created') throw keyError('', created, wireName)
        return { ...keyJson(created.record), key: created.key }
      },
      { bodyLimitBytes },
    ),
    createRoute(keyOperations.getKey, async ({ caller, params }) => keyJson(await requireKey(caller, params.key))),
    createRoute(
      keyOperations.updateKey,
      async ({ exchange, caller, params, body: { name, scopes, ...sent } }) => {
        const { organisationId } = caller
        const { id, scopes: current } = await requireKey(caller, params.key)
        if (current.includes('manage')) throw ApiError.of('management_key_protected', {})
        if (scopes?.includes('manage')) throw ApiError.of('management_key_protected', {}, { param: 'scopes' })
        const named = { ...(name === undefined ? {} : { name }), ...(scopes === undefined ? {} : { scopes }) }
        const changes = { ...named, ...readKeyFields(sent) }
        const changed = await keysAs(exchange, caller).change({ organisationId }, id, changes)
        if (changed.outcome !== 'changed') throw keyError(id, changed, wireName)
        return keyJson(changed.record)
      },
      { bodyLimitBytes },
    ),
    createRoute(keyOperations.deleteKey, async ({ exchange, caller, params }) => {
      const { organisationId } = caller
      const { id } = await requireOwnOrPlain(caller, params.key)
      await keysAs(exchange, caller).revoke({ organisationId }, id)
      return { object: 'api_key.deleted' as const, id, deleted: true }
    }),
    createRoute(
      keyOperations.rotateKey,
      async ({ exchange, caller, params, body: { grace_seconds = dayInSeconds } }) => {
        const { organisationId } = caller
        const { id } = await requireOwnOrPlain(caller, params.key)
        const rotated = await keysAs(exchange, caller).rotate({ organisationId }, id, grace_seconds * 1000)
        if (rotated.outcome !== 'rotated') throw keyError(id, rotated, wireName)
        return { ...keyJson(rotated.record), key: rotated.key }
      },
      { bodyLimitBytes },
    ),
  ]
}

/** The caller as an actor of the audit log. */
const toAuditActor = ({ origin }: Exchange, { key: { id, name } }: KeyCaller): AuditActor => ({
  kind: 'key',
  id,
  name,
  address: origin.clientAddress,
})
