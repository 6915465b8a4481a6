import type { UsageDay, UsageFilter, UsageRow, UsageShare, UsageSubject } from '../../ledger-contract.ts'
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
const selectDays = (condition: string): string =>
  `SELECT day, ${sums} FROM ${source} WHERE ${inDays} ${condition} GROUP BY day ORDER BY day`
const selectDaysOfAll = selectDays('')
const selectDaysOfOne = selectDays(ofOrganisation)

export function* listUsageDays({
  organisationId,
  fromDay,
  toDay,
}: {
  organisationId: string | null
  fromDay: number
  toDay: number
}): Query<UsageDay[]> {
  const rows =
    organisationId === null
      ? yield* all(selectDaysOfAll, { fromDay, toDay })
      : yield* all(selectDaysOfOne, { organisation: organisationId, fromDay, toDay })
  return rows.map((row) => ({ day: integer(row, 'day'), ...usageTotals(row) }))
}

const byTokens = 'ORDER BY sum(prompt_tokens) + sum(completion_tokens) DESC, sum(requests) DESC, 1 LIMIT $limit'
const selectLargest = {
  organisation: `SELECT organisation_id AS id, min(organisations.name) AS name, ${sums} FROM ${source}
    LEFT JOIN organisations ON organisations.id = organisation_id
    WHERE ${inDays} GROUP BY organisation_id ${byTokens}`,
  model: `SELECT model AS id, NULL AS name, ${sums} FROM usage_days WHERE ${inDays} GROUP BY model ${byTokens}`,
}

export function* listLargestUsage(
  by: 'organisation' | 'model',
  filter: { fromDay: number; toDay: number; limit: number },
): Query<UsageShare[]> {
  const rows = yield* all(selectLargest[by], filter)
  return rows.map((row) => ({ id: text(row, 'id'), name: textOrNull(row, 'name'), ...usageTotals(row) }))
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
