import type { UsageDay, UsageFilter, UsageRow, UsageSubject } from '../../ledger-contract.ts'
import { all, first, type Query } from '../query.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'
import { totalColumns, usageTotals } from './totals.ts'

const source = 'usage_days JOIN ledger_parties AS parties ON parties.id = party'
const inDays = 'day BETWEEN $fromDay AND $toDay'
const ofOrganisation = 'AND organisation_id = $organisation'
/** Also where the key is null, which stands for the playground. */
const ofKey = 'AND key_id IS NOT DISTINCT FROM CAST($key AS TEXT)'

export function* listUsage(filter: UsageFilter): Query<UsageRow[]> {
  const { organisationId, keyId, fromDay, toDay } = filter
  const conditions = [
    organisationId === null ? '' : ofOrganisation,
    // Before the database sees it, so that each question has the plan that fits it.
    keyId === undefined ? '' : ofKey,
  ].join(' ')
  const rows = yield* all(
    `SELECT day, organisation_id, key_id, model, ${totalColumns.join(', ')} FROM ${source}
    WHERE ${inDays} ${conditions} ORDER BY day, party, model`,
    {
      ...{ fromDay, toDay },
      ...(organisationId === null ? {} : { organisation: organisationId }),
      ...(keyId === undefined ? {} : { key: keyId }),
    },
  )
  return rows.map(usageRow)
}

const sums = totalColumns.map((name) => `sum(${name}) AS ${name}`).join(', ')
const selectDays = `SELECT day, ${sums} FROM ${source} WHERE ${inDays} ${ofOrganisation} GROUP BY day ORDER BY day`

export function* listUsageDays({
  organisationId,
  fromDay,
  toDay,
}: {
  organisationId: string
  fromDay: number
  toDay: number
}): Query<UsageDay[]> {
  const rows = yield* all(selectDays, { organisation: organisationId, fromDay, toDay })
  return rows.map((row) => ({ day: integer(row, 'day'), ...usageTotals(row) }))
}

export function* sumUsedTokens(subject: UsageSubject): Query<number> {
  return yield* sumOf('prompt_tokens + completion_tokens', subject)
}

export function* sumUsedCost(subject: UsageSubject): Query<number> {
  return yield* sumOf('cost', subject)
}

export function* sumRequests(subject: UsageSubject): Query<number> {
  return yield* sumOf('requests', subject)
}

function* sumOf(what: string, { organisationId, keyId, fromDay, toDay }: UsageSubject): Query<number> {
  const conditions = `${organisationId === null ? '' : ofOrganisation} ${keyId === null ? '' : ofKey}`
  // A larger sum could not be read as a number.
  const sum = (smaller: string): string =>
    `SELECT ${smaller}(coalesce(sum(${what}), 0), ${Number.MAX_SAFE_INTEGER}) AS total FROM ${source}
    WHERE ${inDays} ${conditions}`
  const values = {
    ...{ fromDay, toDay },
    ...(organisationId === null ? {} : { organisation: organisationId }),
    ...(keyId === null ? {} : { key: keyId }),
  }
  const row = yield* first({ sqlite: sum('min'), postgres: sum('least') }, values)
  return row === undefined ? 0 : integer(row, 'total')
}

const usageRow = (row: Row): UsageRow => ({
  day: integer(row, 'day'),
  organisationId: text(row, 'organisation_id'),
  keyId: textOrNull(row, 'key_id'),
  model: text(row, 'model'),
  ...usageTotals(row),
})
