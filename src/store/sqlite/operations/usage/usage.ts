import type { DatabaseSync } from 'node:sqlite'
import type { UsageFilter, UsageRow } from '../../../ledger-contract.ts'
import { integer, type Row, text, textOrNull } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'
import { totalColumns, usageTotals } from './totals.ts'

const source = 'usage_days JOIN ledger_parties AS parties ON parties.id = party'
const inDays = 'day BETWEEN $fromDay AND $toDay'
const ofOrganisation = 'AND organisation_id = $organisation'
/** Also where the key is null, which stands for the playground. */
const ofKey = 'AND key_id IS $key'

export const listUsage = (db: DatabaseSync, filter: UsageFilter): UsageRow[] => {
  const { organisationId, keyId, fromDay, toDay } = filter
  const conditions = [
    organisationId === null ? '' : ofOrganisation,
    // Before SQLite sees it, so that each question has the plan that fits it.
    keyId === undefined ? '' : ofKey,
  ].join(' ')
  return prepared(
    db,
    `SELECT day, organisation_id, key_id, model, ${totalColumns.join(', ')} FROM ${source}
    WHERE ${inDays} ${conditions} ORDER BY day, party, model`,
  )
    .all({
      ...{ fromDay, toDay },
      ...(organisationId === null ? {} : { organisation: organisationId }),
      ...(keyId === undefined ? {} : { key: keyId }),
    })
    .map(usageRow)
}

type Subject = { organisationId: string | null; keyId: string | null; fromDay: number; toDay: number }

export const sumUsedTokens = (db: DatabaseSync, subject: Subject): number =>
  sumOf(db, 'prompt_tokens + completion_tokens', subject)

export const sumUsedCost = (db: DatabaseSync, subject: Subject): number => sumOf(db, 'cost', subject)

const sumOf = (db: DatabaseSync, what: string, { organisationId, keyId, fromDay, toDay }: Subject): number => {
  const conditions = `${organisationId === null ? '' : ofOrganisation} ${keyId === null ? '' : ofKey}`
  // A larger sum could not be read as a number.
  const sum = `SELECT min(coalesce(sum(${what}), 0), ${Number.MAX_SAFE_INTEGER}) AS total FROM ${source}
    WHERE ${inDays} ${conditions}`
  const row = prepared(db, sum).get({
    ...{ fromDay, toDay },
    ...(organisationId === null ? {} : { organisation: organisationId }),
    ...(keyId === null ? {} : { key: keyId }),
  })
  return row === undefined ? 0 : integer(row, 'total')
}

const usageRow = (row: Row): UsageRow => ({
  day: integer(row, 'day'),
  organisationId: text(row, 'organisation_id'),
  keyId: textOrNull(row, 'key_id'),
  model: text(row, 'model'),
  ...usageTotals(row),
})
