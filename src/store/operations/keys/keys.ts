import {
  type AccessScope,
  accessScopes,
  type FoundKey,
  type KeyRecord,
  type KeyScope,
  type RevokeOutcome,
} from '../../contract.ts'
import { limitColumns, limitPlaces, limitValues, readLimits } from '../limits/limit-columns.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull, texts, textsOrNull } from '../row.ts'
import { ownerSql } from '../teams/owner-sql.ts'

export const keyColumns = `id, organisation_id, name, prefix, last_four, created_at, expires_at, revoked_at, created_by,
  scopes, models, networks, last_used_at, previous_until, suspended_at, paused_at, ${limitColumns}`

export function* insertKey(record: KeyRecord, secretHash: Uint8Array): Query<void> {
  const insert = `INSERT INTO api_keys (${keyColumns}, secret_hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${limitPlaces}, ?)`
  yield* run(
    insert,
    record.id,
    record.organisationId,
    record.name,
    record.prefix,
    record.lastFour,
    record.createdAt,
    record.expiresAt,
    record.revokedAt,
    record.createdBy,
    JSON.stringify(record.scopes),
    jsonOrNull(record.models),
    jsonOrNull(record.networks),
    record.lastUsedAt,
    record.previousUntil,
    record.suspendedAt,
    record.pausedAt,
    ...limitValues(record.limits),
    secretHash,
  )
}

/** The most frequent query, so its SQL is built only once. */
export function* findKeyByHash(secretHash: Uint8Array): Query<FoundKey | null> {
  const row = yield* first(bySecret, { hash: secretHash })
  if (row === undefined) return null
  const secret = row.is_previous === 1 ? 'previous' : 'current'
  return { record: keyRecord(row), secret, suspended: suspendedIn(row), ownerId: text(row, 'owner_id') }
}

export const suspensionColumns = `(SELECT accounts.suspended_at FROM accounts WHERE accounts.id = created_by) AS maker_suspended_at,
    (SELECT organisations.suspended_at FROM organisations WHERE organisations.id = organisation_id)
      AS organisation_suspended_at`
const foundColumns = `${keyColumns}, ${suspensionColumns}, ${ownerSql('api_keys.organisation_id')} AS owner_id`
/** At most one matches: every secret is minted once, so none is both a current and a previous one. */
const bySecret = `SELECT ${foundColumns}, 0 AS is_previous FROM api_keys WHERE secret_hash = $hash
  UNION ALL
  SELECT ${foundColumns}, 1 AS is_previous FROM api_keys WHERE previous_hash = $hash`

export const suspendedIn = (row: Row): FoundKey['suspended'] => {
  if (row.organisation_suspended_at !== null) return 'organisation'
  if (row.maker_suspended_at !== null) return 'account'
  return row.suspended_at === null ? null : 'key'
}

export function* listKeys(scope: KeyScope): Query<KeyRecord[]> {
  return (yield* all(`SELECT ${keyColumns} FROM api_keys WHERE ${inScope} ORDER BY rowid`, {
    organisation: scopeOrganisation(scope),
  })).map(keyRecord)
}

export function* findKey(scope: KeyScope, id: string): Query<KeyRecord | null> {
  const find = `SELECT ${keyColumns} FROM api_keys WHERE id = $id AND ${inScope}`
  const row = yield* first(find, { id, organisation: scopeOrganisation(scope) })
  return row === undefined ? null : keyRecord(row)
}

export function* revokeKey(scope: KeyScope, id: string, revokedAt: number): Query<RevokeOutcome> {
  const update = `UPDATE api_keys SET revoked_at = $revokedAt WHERE id = $id AND revoked_at IS NULL AND ${inScope}`
  if ((yield* run(update, { id, revokedAt, organisation: scopeOrganisation(scope) })) === 1) return 'revoked'
  return (yield* findKey(scope, id)) === null ? 'not_found' : 'already_revoked'
}

export const inScope = '(CAST($organisation AS TEXT) IS NULL OR organisation_id = $organisation)'
export const scopeOrganisation = (scope: KeyScope): string | null => (scope === 'all' ? null : scope.organisationId)

export const jsonOrNull = (list: readonly string[] | null): string | null =>
  list === null ? null : JSON.stringify(list)

export const keyRecord = (row: Row): KeyRecord => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  name: text(row, 'name'),
  prefix: text(row, 'prefix'),
  lastFour: text(row, 'last_four'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integerOrNull(row, 'expires_at'),
  revokedAt: integerOrNull(row, 'revoked_at'),
  createdBy: textOrNull(row, 'created_by'),
  scopes: texts(row, 'scopes').filter(isScope),
  models: textsOrNull(row, 'models'),
  networks: textsOrNull(row, 'networks'),
  limits: readLimits(row),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
  previousUntil: integerOrNull(row, 'previous_until'),
  suspendedAt: integerOrNull(row, 'suspended_at'),
  pausedAt: integerOrNull(row, 'paused_at'),
})

/** Scopes of later versions are ignored: they permit nothing here. */
const isScope = (name: string): name is AccessScope => accessScopes.some((scope) => scope === name)
