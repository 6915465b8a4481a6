import type { SealedKind, SealedRecord } from '../../sealed-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, type Query, run } from '../query.ts'
import { bytes, text } from '../row.ts'

/** The statements for each place. Only challenges of providers are encrypted. */
const places = {
  totp: {
    first: 'SELECT account_id AS id, sealed_secret AS sealed FROM totp_factors ORDER BY account_id LIMIT ?',
    after:
      'SELECT account_id AS id, sealed_secret AS sealed FROM totp_factors WHERE account_id > ? ORDER BY account_id LIMIT ?',
    replace: 'UPDATE totp_factors SET sealed_secret = ? WHERE account_id = ? AND sealed_secret = ?',
  },
  upstream: {
    first: 'SELECT name AS id, sealed_key AS sealed FROM upstreams WHERE sealed_key IS NOT NULL ORDER BY name LIMIT ?',
    after: `SELECT name AS id, sealed_key AS sealed FROM upstreams
      WHERE name > ? AND sealed_key IS NOT NULL ORDER BY name LIMIT ?`,
    replace: 'UPDATE upstreams SET sealed_key = ? WHERE name = ? AND sealed_key = ?',
  },
  webhook: {
    first: `SELECT id, sealed_secret AS sealed FROM webhook_endpoints
      WHERE sealed_secret IS NOT NULL ORDER BY id LIMIT ?`,
    after: `SELECT id, sealed_secret AS sealed FROM webhook_endpoints
      WHERE id > ? AND sealed_secret IS NOT NULL ORDER BY id LIMIT ?`,
    replace: 'UPDATE webhook_endpoints SET sealed_secret = ? WHERE id = ? AND sealed_secret = ?',
  },
  webhook_previous: {
    first: `SELECT id, sealed_previous AS sealed FROM webhook_endpoints
      WHERE sealed_previous IS NOT NULL ORDER BY id LIMIT ?`,
    after: `SELECT id, sealed_previous AS sealed FROM webhook_endpoints
      WHERE id > ? AND sealed_previous IS NOT NULL ORDER BY id LIMIT ?`,
    replace: 'UPDATE webhook_endpoints SET sealed_previous = ? WHERE id = ? AND sealed_previous = ?',
  },
  challenge: {
    first: `SELECT token_hash AS id, content AS sealed FROM challenges
      WHERE kind = 'provider' ORDER BY token_hash LIMIT ?`,
    after: `SELECT token_hash AS id, content AS sealed FROM challenges
      WHERE token_hash > ? AND kind = 'provider' ORDER BY token_hash LIMIT ?`,
    replace: 'UPDATE challenges SET content = ? WHERE token_hash = ? AND content = ?',
  },
  setting: {
    first: `SELECT name AS id, sealed_value AS sealed FROM server_settings
      WHERE sealed_value IS NOT NULL ORDER BY name LIMIT ?`,
    after: `SELECT name AS id, sealed_value AS sealed FROM server_settings
      WHERE name > ? AND sealed_value IS NOT NULL ORDER BY name LIMIT ?`,
    replace: 'UPDATE server_settings SET sealed_value = ? WHERE name = ? AND sealed_value = ?',
  },
} as const

export function* listSealed(kind: SealedKind, after: SealedRecord['id'] | null, limit: number): Query<SealedRecord[]> {
  const { first, after: following } = places[kind]
  const rows = after === null ? yield* all(first, limit) : yield* all(following, after, limit)
  return rows.map((row) => ({
    kind,
    id: kind === 'challenge' ? bytes(row, 'id') : text(row, 'id'),
    sealed: text(row, 'sealed'),
  }))
}

export function* replaceSealed({ kind, id, sealed: before }: SealedRecord, sealed: string): Query<boolean> {
  return (yield* deleteText(run(places[kind].replace, sealed, id, before))) === 1
}
