import type { UsageShown, UsageVerified } from '../control/control-usage.ts'
import { decimalAmount } from '../prices/decimal-amount.ts'
import type { UsageTotalsJson } from '../usage/usage-json.ts'
import { renderTable } from './table.ts'

const figures = ['REQUESTS', 'FAILED', 'ABORTED', 'PROMPT', 'CACHED', 'COMPLETION', 'REASONING', 'TOTAL']

/** Cost and estimates only where there are any. */
type ShownFigures = { currency: string | null; hasEstimates: boolean }

const tableHeads = ({ currency, hasEstimates }: ShownFigures): string[] => [
  ...figures,
  ...(hasEstimates ? ['ESTIMATED'] : []),
  ...(currency === null ? [] : [`COST (${currency})`]),
]

const cells = (totals: UsageTotalsJson, { currency, hasEstimates }: ShownFigures): string[] => [
  ...counts(totals),
  ...(hasEstimates ? [String(totals.estimated_requests)] : []),
  ...(currency === null ? [] : [decimalAmount(totals.cost_micros)]),
]

const counts = (totals: UsageTotalsJson): string[] =>
  [
    totals.requests,
    totals.failed_requests,
    totals.client_closed_requests,
    totals.prompt_tokens,
    totals.cached_tokens,
    totals.completion_tokens,
    totals.reasoning_tokens,
    totals.total_tokens,
  ].map(String)

const heads = { day: 'DAY', key: 'KEY', model: 'MODEL' } as const

/** `names` maps key IDs to key names. */
export const renderUsage = (
  { from, to, time_zone, currency, group_by, data, total }: UsageShown,
  names: ReadonlyMap<string, string>,
): string => {
  const period = `${from} to ${to} (${time_zone})`
  if (data.length === 0) return `No usage from ${period}.\n`
  const rowName = ({ day, key_id, model }: UsageShown['data'][number]): string => {
    if (key_id === undefined) return day ?? model ?? ''
    return key_id === null ? '(playground)' : `${names.get(key_id) ?? ''} (${key_id})`.trim()
  }
  const shown = { currency: total.cost_micros === 0 ? null : currency, hasEstimates: total.estimated_requests > 0 }
  const rows = [...data.map((sum) => [rowName(sum), ...cells(sum, shown)]), ['total', ...cells(total, shown)]]
  const columns = tableHeads(shown)
  const table = renderTable(
    [heads[group_by], ...columns],
    rows,
    columns.map((_, index) => index + 1),
  )
  const estimates = shown.hasEstimates ? ' ESTIMATED is the number of requests with estimated counts.' : ''
  return `Usage from ${period}. PROMPT to TOTAL are token counts.${estimates}\n\n${table}`
}

export const renderDifferences = ({ checked_requests, from, differences }: UsageVerified): string => {
  const requests = checked_requests === 1 ? 'request' : 'requests'
  const checked = `${checked_requests} ${requests}${from === null ? '' : ` since ${from}`}`
  if (differences.length === 0) return `Checked ${checked} in the ledger: all totals match.\n`
  const shown = { currency: 'units', hasEstimates: true }
  const columns = tableHeads(shown)
  const rows = differences.flatMap(({ day, organisation_id, key_id, model, kept, counted }) => {
    const name = [day, organisation_id, key_id ?? '(playground)', model]
    return [
      [...name, 'total', ...(kept === null ? columns.map(() => '-') : cells(kept, shown))],
      [...name, 'ledger', ...(counted === null ? columns.map(() => '-') : cells(counted, shown))],
    ]
  })
  const head = ['DAY', 'ORGANISATION', 'KEY', 'MODEL', 'IN', ...columns]
  const table = renderTable(
    head,
    rows,
    columns.map((_, index) => index + 5),
  )
  return `Checked ${checked} in the ledger. Totals that do not match: ${differences.length}\n\n${table}`
}
