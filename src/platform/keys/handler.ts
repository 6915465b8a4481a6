import { ApiError } from '../../base/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, string } from '../../http/schema/scalars.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { commandLine } from '../doer-of.ts'
import { keyJson } from './key-json.ts'

/** The largest date JavaScript knows. */
export const lastMoment = 8_640_000_000_000_000
const newKey = object({
  name: string(),
  expires_at_ms: optional(nullable(integer({ min: 0, max: lastMoment }))),
})

/** `POST /control/keys` */
export const createCreateKey =
  (keys: KeyRegistry) =>
  async (exchange: Exchange): Promise<void> => {
    const { name, expires_at_ms: expiresAt = null } = await readJson(exchange, bodyLimitBytes, newKey)
    const created = await keys.by(commandLine).create({ name, expiresAt })
    if (created.outcome === 'refused') {
      const path = created.field === 'name' ? 'name' : 'expires_at_ms'
      throw ApiError.of('refused_value', { path, reason: created.reason }, { param: path })
    }
    sendJson(exchange, 201, { ...keyJson(created.record), key: created.key })
  }

/** `GET /control/keys` */
export const createListKeys =
  (keys: KeyRegistry) =>
  async (exchange: Exchange): Promise<void> =>
    sendJson(exchange, 200, { object: 'list', data: (await keys.list('all')).map(keyJson) })

/** `POST /control/keys/{key}/revoke` */
export const createRevokeKey =
  (keys: KeyRegistry) =>
  async (exchange: Exchange): Promise<void> => {
    const { key = '' } = exchange.params
    sendJson(exchange, 200, { id: key, outcome: (await keys.by(commandLine).revoke('all', key)).outcome })
  }
