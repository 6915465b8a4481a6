import { abilities } from '../../accounts/teams/roles.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { accessScopes } from '../../store/contract.ts'
import { auditPage } from './audit.ts'
import { limits, limitsBody, limitUses, recentTokens } from './limits.ts'
import { get, member, post } from './operation.ts'
import { count, lastMomentMs, time } from './scalars.ts'

export type Scope = (typeof accessScopes)[number]

export const keyFields = {
  id: string({ pattern: '^key_' }),
  name: string(),
  prefix: described('First characters of the secret.', string()),
  lastFour: described('Last four characters of the secret.', string()),
  state: oneOf('active', 'suspended', 'paused', 'expired', 'revoked'),
  scopes: array(oneOf(...accessScopes)),
  models: described('Models the key can use; null means all.', nullable(array(string()))),
  networks: described('Networks the key can be used from; null means any.', nullable(array(string()))),
  limits,
  createdAt: time,
  expiresAt: nullable(time),
  revokedAt: nullable(time),
  suspendedAt: described('When the owner of the server suspended it.', nullable(time)),
  pausedAt: described('When a member paused it.', nullable(time)),
  lastUsedAt: described('Accurate to within one minute.', nullable(time)),
  previousUntil: described('Until this time, the secret from before the last rotation also works.', nullable(time)),
  createdBy: described('Email address of the member; null if that is not known.', nullable(string())),
}
/** The one shape of a key. The secret is not part of it. */
export const key = named('Key', object(keyFields))
export type Key = Shape<typeof key>

export const newKey = named(
  'NewKey',
  object({ ...keyFields, key: described('The secret. It is returned only in this answer.', string()) }),
)
export type NewKey = Shape<typeof newKey>

const usedKey = named('UsedKey', object({ ...keyFields, ...recentTokens, uses: limitUses }))
export type UsedKey = Shape<typeof usedKey>

const keyList = object({
  data: described('Newest first.', array(usedKey)),
  organisation: object({ ...recentTokens, uses: limitUses }),
  timeZone: string(),
})
export type KeyList = Shape<typeof keyList>

const used = { requests: count, promptTokens: count, completionTokens: count }
/** A key with what its page shows beside what the list does. */
const keyDetails = named(
  'KeyDetails',
  object({
    ...keyFields,
    ...recentTokens,
    uses: limitUses,
    organisation: object({ uses: limitUses }),
    hours: described(
      'The last 24 hours, oldest first; hours without requests are left out.',
      array(object({ startsAt: time, ...used })),
    ),
    days: described(
      'The last 30 days in the time zone of the server, oldest first; days without requests are left out.',
      array(object({ day: string(), ...used })),
    ),
    today: described('Today in the time zone of the server, for example 2026-11-01.', string()),
    timeZone: string(),
  }),
)
export type KeyDetails = Shape<typeof keyDetails>

const texts = array(string(), { of: 'strings' })
const changes = {
  scopes: optional(texts),
  expiresAt: optional(nullable(integer({ min: 0, max: lastMomentMs }))),
  models: optional(nullable(texts)),
  networks: optional(nullable(texts)),
  limits: optional(limitsBody),
}
export const newKeyBody = object({ ...changes, name: string() })
const keyChangesBody = object({
  ...changes,
  name: optional(string()),
  was: optional(
    described('What the page showed. If it has changed since, nothing is changed.', object({ limits: limitsBody })),
  ),
})
export const rotateBody = object({ graceMs: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }) })

const { see, makeKeys } = abilities

export const keyOperations = {
  listKeys: get('/keys', member(see), 'Lists the keys of the organisation with their recent usage.', {
    answer: keyList,
  }),
  showKey: get('/keys/{key}', member(see), 'Shows a key with its usage by hour and by day.', { answer: keyDetails }),
  listKeyEvents: get('/keys/{key}/events', member(makeKeys), 'Lists what was done to a key, newest first.', {
    query: object({ before: optional(string({ maxLength: 254 })) }),
    answer: auditPage,
  }),
  createKey: post('/keys', member(makeKeys), 'Creates a key.', { body: newKeyBody, answer: newKey, status: 201 }),
  changeKey: post('/keys/{key}', member(makeKeys), 'Changes a key. What is omitted is unchanged.', {
    body: keyChangesBody,
    answer: key,
  }),
  rotateKey: post('/keys/{key}/rotate', member(makeKeys), 'Issues a new secret. The old one works for `graceMs`.', {
    body: rotateBody,
    answer: newKey,
  }),
  pauseKey: post('/keys/{key}/pause', member(makeKeys), 'Stops a key, and its running requests, until it is resumed.', {
    answer: key,
  }),
  unpauseKey: post('/keys/{key}/resume', member(makeKeys), 'Resumes a paused key.', { answer: key }),
  revokeKey: post('/keys/{key}/revoke', member(makeKeys), 'Revokes a key. Its name confirms it.', {
    body: object({ name: string() }),
    answer: key,
  }),
}
