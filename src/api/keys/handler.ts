import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { readQuery } from '../../http/read-query.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { keyError } from '../../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import { defaultLimit, pageFields, unknownCursor } from '../stored-completions/page-query.ts'
import { listJson } from '../stored-completions/shapes.ts'
import { keyChangesBody, keyFieldsOf, nameOf, newKeyBody, rotateBody } from './key-body.ts'
import { keyJson } from './key-json.ts'

/**
 * The keys of the caller's organisation, for programs with a management key. Such a key cannot extend its rights: it neither
 * creates nor changes management keys, and the only one it can rotate or revoke is itself.
 */
export type KeysDependencies = { keys: KeyRegistry; bodyLimitBytes: number }

type Handle = (exchange: Exchange, caller: KeyCaller) => Promise<void>

export const keysQuery = object(pageFields)

/** `GET /v1/keys` */
export const createListKeys =
  ({ keys }: KeysDependencies): Handle =>
  async (exchange, { organisationId }) => {
    const { after, limit = defaultLimit, order = 'asc' } = readQuery(exchange.request, keysQuery)
    const all = await keys.list({ organisationId })
    if (order === 'desc') all.reverse()
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    if (after !== undefined && start === 0) throw unknownCursor(after)
    const page = all.slice(start, start + limit).map(keyJson)
    sendJson(exchange, 200, listJson(page, start + limit < all.length))
  }

/** `POST /v1/keys` */
export const createCreateKey =
  ({ keys, bodyLimitBytes }: KeysDependencies): Handle =>
  async (exchange, caller) => {
    const { organisationId, key } = caller
    const { name, scopes, ...sent } = await readJson(exchange, bodyLimitBytes, newKeyBody)
    if (scopes?.includes('manage')) throw ApiError.of('management_key_protected', {}, { param: 'scopes' })
    const rights = scopes === undefined ? {} : { scopes }
    const wanted = { name, ...rights, ...keyFieldsOf(sent), organisationId, createdBy: key.createdBy }
    const created = await keys.by(auditActorOf(exchange, caller)).create(wanted)
    if (created.outcome !== 'created') throw keyError('', created, nameOf)
    sendJson(exchange, 200, { ...keyJson(created.record), key: created.key })
  }

/** `GET /v1/keys/{key}` */
export const createGetKey =
  (dependencies: KeysDependencies): Handle =>
  async (exchange, caller) =>
    sendJson(exchange, 200, keyJson(await requireKey(dependencies, exchange, caller)))

/** `POST /v1/keys/{key}` */
export const createChangeKey =
  (dependencies: KeysDependencies): Handle =>
  async (exchange, caller) => {
    const { name, ...sent } = await readJson(exchange, dependencies.bodyLimitBytes, keyChangesBody)
    const { id, scopes } = await requireKey(dependencies, exchange, caller)
    if (scopes.includes('manage')) throw ApiError.of('management_key_protected', {})
    const changes = { ...(name === undefined ? {} : { name }), ...keyFieldsOf(sent) }
    const { organisationId } = caller
    const changed = await dependencies.keys.by(auditActorOf(exchange, caller)).change({ organisationId }, id, changes)
    if (changed.outcome !== 'changed') throw keyError(id, changed, nameOf)
    sendJson(exchange, 200, keyJson(changed.record))
  }

const dayInSeconds = 86_400

/** `POST /v1/keys/{key}/rotate` */
export const createRotateKey =
  (dependencies: KeysDependencies): Handle =>
  async (exchange, caller) => {
    const { grace_seconds = dayInSeconds } = await readJson(exchange, dependencies.bodyLimitBytes, rotateBody)
    const { id } = await requireOwnOrPlain(dependencies, exchange, caller)
    const { organisationId } = caller
    const rotated = await dependencies.keys
      .by(auditActorOf(exchange, caller))
      .rotate({ organisationId }, id, grace_seconds * 1000)
    if (rotated.outcome !== 'rotated') throw keyError(id, rotated, nameOf)
    sendJson(exchange, 200, { ...keyJson(rotated.record), key: rotated.key })
  }

/** `DELETE /v1/keys/{key}` */
export const createDeleteKey =
  (dependencies: KeysDependencies): Handle =>
  async (exchange, caller) => {
    const { id } = await requireOwnOrPlain(dependencies, exchange, caller)
    const { organisationId } = caller
    await dependencies.keys.by(auditActorOf(exchange, caller)).revoke({ organisationId }, id)
    sendJson(exchange, 200, { object: 'api_key.deleted', id, deleted: true })
  }

/** The caller as an actor of the audit log. */
const auditActorOf = ({ origin }: Exchange, { key: { id, name } }: KeyCaller): AuditActor => ({
  kind: 'key',
  id,
  name,
  address: origin.clientAddress,
})

const requireKey = async (
  { keys }: KeysDependencies,
  { params }: Exchange,
  { organisationId }: KeyCaller,
): Promise<ShownKey> => {
  const { key: id = '' } = params
  const key = await keys.find({ organisationId }, id)
  if (key === null) throw keyError(id, { outcome: 'not_found' })
  return key
}

/** A key without the scope `manage`, or the caller's own. */
const requireOwnOrPlain = async (
  dependencies: KeysDependencies,
  exchange: Exchange,
  caller: KeyCaller,
): Promise<ShownKey> => {
  const key = await requireKey(dependencies, exchange, caller)
  if (key.scopes.includes('manage') && key.id !== caller.keyId) throw ApiError.of('management_key_protected', {})
  return key
}
