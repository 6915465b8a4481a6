import { csvLine } from '../../base/csv.ts'
import { decimalAmount } from '../../prices/decimal-amount.ts'
import type { UsageSeries } from '../contract/usage-groups.ts'
import type { ReadUsage } from './read-usage.ts'
import { totalsJson } from './usage-json.ts'
import type { CountedLine } from './usage-lines.ts'

const seriesColumns: Record<UsageSeries, readonly string[]> = {
  none: [],
  key: ['key', 'key_id'],
  model: ['model'],
  endpoint: ['endpoint'],
  person: ['person'],
  status: ['status'],
}

const figureColumns = [
  'requests',
  'failed',
  'aborted',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'average_first_token_ms',
  'average_duration_ms',
  'estimated_requests',
]
const previousColumns = ['previous_requests', 'previous_prompt_tokens', 'previous_completion_tokens']

/** The lines of the table on the page, with the same figures, oldest first. */
export async function* usageLines(read: ReadUsage, currency: string): AsyncGenerator<string> {
  const { unit, by, lines, previous, slots } = read
  const hasCost = lines.some(({ now, before }) => now.costMicros > 0 || (before?.costMicros ?? 0) > 0)
  yield csvLine([
    ...(unit === 'total' ? [] : [unit]),
    ...seriesColumns[by],
    ...figureColumns,
    ...(hasCost ? ['cost', 'currency'] : []),
    ...(previous === null ? [] : previousColumns),
    ...(previous === null || !hasCost ? [] : ['previous_cost']),
  ])
  for (const line of lines) {
    const { costMicros, ...figures } = totalsJson(line.now)
    const { before } = line
    yield csvLine([
      ...(unit === 'total' ? [] : [slots[line.slot] ?? '']),
      ...seriesCells(line, read),
      ...Object.values(figures),
      ...(hasCost ? [decimalAmount(costMicros), currency] : []),
      ...(before === null ? [] : [before.requests, before.promptTokens, before.completionTokens]),
      ...(before === null || !hasCost ? [] : [decimalAmount(before.costMicros)]),
    ])
  }
}

const seriesCells = ({ series }: CountedLine, { by, names }: ReadUsage): (string | null)[] => {
  if (by === 'none') return []
  const name = names.get(series)?.name
  if (by !== 'key') return [name ?? series]
  return /^key_/.test(series) ? [name ?? null, series] : [series, null]
}
