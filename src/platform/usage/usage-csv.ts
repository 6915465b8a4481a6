import { csvLine } from '../../base/csv.ts'
import { dayText } from '../../base/day-text.ts'
import { decimalAmount } from '../../prices/decimal-amount.ts'
import { summariseUsage, type UsageGroup, type UsageSum } from '../../usage/summarise.ts'
import type { ReadUsage } from './read-usage.ts'
import { type NamedKeys, totalsJson } from './usage-json.ts'

const nameColumns: Record<UsageGroup, readonly string[]> = {
  day: ['day'],
  key: ['key', 'key_id'],
  model: ['model'],
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

/** The same figures as on the page, one line for each day, key or model. */
export async function* usageLines({ rows, by }: ReadUsage, keys: NamedKeys, currency: string): AsyncGenerator<string> {
  const hasCost = rows.some(({ costMicros }) => costMicros > 0)
  yield csvLine([...nameColumns[by], ...figureColumns, ...(hasCost ? ['cost', 'currency'] : [])])
  for (const sum of summariseUsage(rows, by)) {
    const { costMicros, ...figures } = totalsJson(sum)
    const cost = hasCost ? [decimalAmount(costMicros), currency] : []
    yield csvLine([...nameCells(sum, by, keys), ...Object.values(figures), ...cost])
  }
}

const nameCells = ({ day, keyId, model }: UsageSum, by: UsageGroup, keys: NamedKeys): (string | null)[] => {
  if (by === 'day') return [dayText(day)]
  if (by === 'model') return [model]
  return keyId === null ? ['playground', null] : [keys.get(keyId)?.name ?? null, keyId]
}
