import type { UsageShown, UsageVerified } from '../control/control-usage.ts'
import type { UsageTotalsJson } from '../usage/usage-json.ts'
import { renderTable } from './table.ts'

const figures = ['REQUESTS', 'FAILED', 'ABORTED', 'PROMPT', 'CACHED', 'COMPLETION', 'REASONING', 'TOTAL']

const cells = (totals: UsageTotalsJson): string[] =>
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
  { from, to, time_zone, group_by, data, total }: UsageShown,
  names: ReadonlyMap<string, string>,
): string => {
  const period = `${from} to ${to} (${time_zone})`
  if (data.length === 0) return `No usage from ${period}.\n`
  const nameOf = ({ day, key_id, model }: UsageShown['data'][number]): string => {
    if (key_id === undefined) return day ?? model ?? ''
    return key_id === null ? '(playground)' : `${names.get(key_id) ?? ''} (${key_id})`.trim()
  }
  const rows = [...data.map((sum) => [nameOf(sum), ...cells(sum)]), ['total', ...cells(total)]]
  const table = renderTable([heads[group_by], ...figures], rows, [1, 2, 3, 4, 5, 6, 7, 8])
  return `Usage from ${period}. PROMPT to TOTAL are token counts.\n\n${table}`
}

export const renderDifferences = ({ checked_requests, from, differences }: UsageVerified): string => {
  const requests = checked_requests === 1 ? 'request' : 'requests'
  const checked = `${checked_requests} ${requests}${from === null ? '' : ` since ${from}`}`
  if (differences.length === 0) return `Checked ${checked} in the ledger: all totals match.\n`
  const rows = differences.flatMap(({ day, organisation_id, key_id, model, kept, counted }) => {
    const name = [day, organisation_id, key_id ?? '(playground)', model]
    return [
      [...name, 'total', ...(kept === null ? figures.map(() => '-') : cells(kept))],
      [...name, 'ledger', ...(counted === null ? figures.map(() => '-') : cells(counted))],
    ]
  })
  const head = ['DAY', 'ORGANISATION', 'KEY', 'MODEL', 'IN', ...figures]
  const table = renderTable(head, rows, [5, 6, 7, 8, 9, 10, 11, 12])
  return `Checked ${checked} in the ledger. Totals that do not match: ${differences.length}\n\n${table}`
}
