import { ApiError } from '../base/api-error.ts'
import { eachWireName } from '../config/limit-kinds.ts'
import { array, nullable, object } from '../http/schema/containers.ts'
import { oneOf, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import { keyError } from '../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../keys/key-registry.ts'
import { limitsJson } from '../limits/limits-json.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { newKeyBody, rotateBody } from '../platform/contract/keys.ts'
import { commandLine } from '../platform/create-actor.ts'
import { accessScopes } from '../store/contract.ts'
import { count, get, post, socket, time } from './operation.ts'

export const limits = object(eachWireName(() => nullable(count)))

const keyFields = {
  id: string(),
  name: string(),
  organisation_id: string(),
  prefix: string(),
  last_four: string(),
  state: oneOf('active', 'suspended', 'paused', 'expired', 'revoked'),
  scopes: array(oneOf(...accessScopes)),
  models: nullable(array(string())),
  networks: nullable(array(string())),
  limits,
  created_at: time,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  last_used_at: nullable(time),
  previous_secret_until: nullable(time),
}
/** A key as the command line shows it, without the secret. */
export const key = object(keyFields)
export type KeyJson = Shape<typeof key>
const newKey = object({ ...keyFields, key: described('The secret.', string()) })
export type NewKeyJson = Shape<typeof newKey>

/** `subject` is a KEY: the ID of a key, or its name if it is unique. */
export const keyOperations = {
  createKey: post('/keys', socket, 'Creates a key.', { body: newKeyBody, answer: newKey, status: 201 }),
  listKeys: get('/keys', socket, 'Lists the keys of all organisations.', { answer: object({ data: array(key) }) }),
  revokeKey: post('/keys/{subject}/revoke', socket, 'Revokes a key.', {
    answer: object({ id: string(), outcome: oneOf('revoked', 'already_revoked', 'not_found') }),
  }),
  rotateKey: post('/keys/{subject}/rotate', socket, 'Issues a new secret.', { body: rotateBody, answer: newKey }),
}

export const createKeyControl = (keys: KeyRegistry): Client<typeof keyOperations> => ({
  async createKey({ body }) {
    const made = await keys.by(commandLine).create(body)
    if (made.outcome !== 'created') throw keyError('', made)
    return { ...keyJson(made.record), key: made.key }
  },
  listKeys: async () => ({ data: (await keys.list('all')).map(keyJson) }),
  async revokeKey({ params: { subject } }) {
    const id = (await findKey(keys, subject))?.id ?? subject
    return { id, ...(await keys.by(commandLine).revoke('all', id)) }
  },
  async rotateKey({ params: { subject }, body: { graceMs } }) {
    const { id } = await requireKey(keys, subject)
    const rotated = await keys.by(commandLine).rotate('all', id, graceMs)
    if (rotated.outcome !== 'rotated') throw keyError(id, rotated)
    return { ...keyJson(rotated.record), key: rotated.key }
  },
})

/** Finds a key by its ID or by its unique name; if several share the name, the only active one. */
export const findKey = async (keys: KeyRegistry, text: string): Promise<ShownKey | null> => {
  const byId = await keys.find('all', text)
  if (byId !== null) return byId
  const named = (await keys.list('all')).filter(({ name }) => name === text)
  const working = named.filter(({ state }) => state === 'active')
  const [found, ...others] = working.length === 0 ? named : working
  if (others.length > 0)
    throw ApiError.of('refused_value', {
      path: 'key',
      reason: `several keys are named '${text}'; use a key ID instead`,
    })
  return found ?? null
}

export const requireKey = async (keys: KeyRegistry, text: string): Promise<ShownKey> => {
  const key = await findKey(keys, text)
  if (key === null) throw keyError(text, { outcome: 'not_found' })
  return key
}

const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export const keyJson = (record: ShownKey): KeyJson => ({
  id: record.id,
  name: record.name,
  organisation_id: record.organisationId,
  prefix: record.prefix,
  last_four: record.lastFour,
  state: record.state,
  scopes: record.scopes,
  models: record.models,
  networks: record.networks,
  limits: limitsJson(record.limits),
  created_at: new Date(record.createdAt).toISOString(),
  expires_at: isoTime(record.expiresAt),
  revoked_at: isoTime(record.revokedAt),
  last_used_at: isoTime(record.lastUsedAt),
  previous_secret_until: isoTime(record.previousUntil),
})
