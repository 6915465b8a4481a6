import type { LedgerRow, ReplacedGuess, Settlement } from '../../ledger-contract.ts'
import type { ReplayRecord } from '../../replay-contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'
import { replayColumns } from '../replays/replays.ts'
import { integer } from '../row.ts'
import { addToDay, totalColumns } from '../usage/totals.ts'
import { storedSettlementColumns } from './ledger-columns.ts'
import { ledgerRow, selectLedgerRows } from './ledger-row.ts'
import { settlementRow } from './ledger-rows.ts'

const insert = `INSERT INTO ledger_settlements (reservation, ${storedSettlementColumns.join(', ')})
  VALUES (?, ${storedSettlementColumns.map(() => '?').join(', ')})`

const subtractFromDay = `UPDATE usage_days SET ${totalColumns.map((name) => `${name} = ${name} - ?`).join(', ')}
  WHERE party = ? AND day = ? AND model = ?`

const addDay = `INSERT INTO usage_days (${totalColumns.join(', ')}, party, day, model)
  VALUES (${totalColumns.map(() => '?').join(', ')}, ?, ?, ?) ${addToDay}`

const findSettlement = `SELECT reservation FROM ledger_settlements
  WHERE reservation = (SELECT sequence FROM ledger_reservations WHERE request_id = ?)`
/** Nothing else replaces or removes it until the transaction ends. */
const lockSettlement = { sqlite: findSettlement, postgres: `${findSettlement} FOR UPDATE` }

/**
 * Whether no other request is executed for the idempotency key. If so, none is until the answer is stored, and whoever claims
 * the key then finds it. Null: the claims end with the process, which alone uses the database.
 */
type ExcludeClaims = (replay: ReplayRecord) => Query<boolean>

/** Settlements never change: this one is removed and another added, in one transaction with the totals. */
export const replaceGuess = (excludeClaims: ExcludeClaims | null) =>
  function* (settlement: Settlement, replay: ReplayRecord | null): Query<ReplacedGuess | null> {
    yield* first(lockSettlement, settlement.requestId)
    const found = yield* first(`${selectLedgerRows} WHERE reserved.request_id = ?`, settlement.requestId)
    if (found === undefined) return null
    const known = ledgerRow(found)
    if (!isWorseGuess(known.settlement, settlement)) return null
    if (replay !== null && excludeClaims !== null && !(yield* excludeClaims(replay))) return null
    if (replay !== null && !(yield* storeReplay(replay))) return null
    const reservation = integer(found, 'sequence')
    const caller = yield* first('SELECT party FROM ledger_reservations WHERE sequence = ?', reservation)
    const party = integer(caller ?? {}, 'party')
    const { organisationId, keyId, model, settlement: guess } = known
    yield* run(subtractFromDay, ...totalsOf(guess), party, guess.day, model)
    // A day without requests has no totals.
    yield* run('DELETE FROM usage_days WHERE party = ? AND day = ? AND requests = 0', party, guess.day)
    yield* run('DELETE FROM ledger_settlements WHERE reservation = ?', reservation)
    const [, ...columns] = settlementRow(settlement)
    yield* run(insert, reservation, ...columns)
    yield* run(addDay, ...totalsOf(settlement), party, settlement.day, model)
    return { organisationId, keyId, model, guess }
  }

type Known = NonNullable<LedgerRow['settlement']>

/** Another guess has to have more tokens. So a settlement is replaced once, however often that is tried. */
const isWorseGuess = (known: LedgerRow['settlement'], by: Known): known is Known =>
  known?.outcome === 'server_died' &&
  (by.outcome !== 'server_died' || by.promptTokens + by.completionTokens > known.promptTokens + known.completionTokens)

/** In the order of the columns, as `settleRequests` of each database counts them. */
const totalsOf = (settlement: Known): number[] => {
  const { outcome, firstTokenMs, timedMs, completionTokens } = settlement
  const failed = outcome === 'failed' || outcome === 'server_died' ? 1 : 0
  const totals: Record<(typeof totalColumns)[number], number> = {
    ...{ requests: 1, failed, client_closed: outcome === 'client_closed' ? 1 : 0 },
    ...{ estimated: settlement.isEstimated === true ? 1 : 0, cost: settlement.costMicros ?? 0 },
    ...{ prompt_tokens: settlement.promptTokens, cached_tokens: settlement.cachedTokens },
    ...{ completion_tokens: completionTokens, reasoning_tokens: settlement.reasoningTokens },
    ...{ first_tokens: firstTokenMs === null ? 0 : 1, first_token_ms: Math.round(firstTokenMs ?? 0) },
    timed_tokens: timedMs === undefined ? 0 : completionTokens - 1,
    ...{ timed_ms: Math.round(timedMs ?? 0), duration_ms: Math.round(settlement.durationMs) },
  }
  return totalColumns.map((name) => totals[name])
}

/** False if the key has the answer of another request, unless that has expired. Nothing is stored for an organisation that was deleted. */
function* storeReplay(replay: ReplayRecord): Query<boolean> {
  const { organisationId, keyHash, bodyHash, completionId, requestId, stream, createdAt, expiresAt, content } = replay
  if ((yield* first('SELECT 1 AS found FROM organisations WHERE id = ?', organisationId)) === undefined) return true
  const removeExpired = 'DELETE FROM replays WHERE organisation_id = ? AND key_hash = ? AND expires_at <= ?'
  yield* deleteText(run(removeExpired, organisationId, keyHash, createdAt))
  const stored = yield* run(
    `INSERT INTO replays (${replayColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (organisation_id, key_hash) DO NOTHING`,
    ...[organisationId, keyHash, bodyHash, completionId, requestId, stream ? 1 : 0],
    ...[createdAt, expiresAt, Buffer.byteLength(content), content],
  )
  return stored === 1
}
