import type { UpstreamUse, UpstreamUseSlot } from '../../upstream-contract.ts'
import { all, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'

const keys = ['hour', 'upstream', 'model'] as const
const sums = [
  'requests',
  'errors',
  'first_tokens',
  'first_token_ms',
  'timed_tokens',
  'timed_ms',
  'prompt_tokens',
  'completion_tokens',
  'cost',
] as const

const insert = `INSERT INTO upstream_hours (${[...keys, ...sums].join(', ')})`
const addUp = `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET
  ${sums.map((name) => `${name} = upstream_hours.${name} + excluded.${name}`).join(', ')}`
const isText = (name: string): boolean => name === 'upstream' || name === 'model'

/** In the order of the keys, so that two servers never wait for each other. */
const add = {
  sqlite: `${insert} SELECT ${[...keys, ...sums].map((_, n) => `value->>${n}`).join(', ')} FROM json_each($rows) WHERE true ${addUp}`,
  postgres: `${insert}
    SELECT ${[...keys, ...sums].map((name, n) => (isText(name) ? `item->>${n}` : `(item->>${n})::bigint`)).join(', ')}
    FROM jsonb_array_elements(CAST($rows AS jsonb)) AS list (item) ORDER BY 1, 2, 3 ${addUp}`,
}

export function* addUpstreamUse(uses: readonly UpstreamUse[]): Query<void> {
  if (uses.length > 0) yield* run(add, { rows: JSON.stringify(uses.map(useRow)) })
}

/** In the order of the columns. Names of models may contain anything but what PostgreSQL cannot store. */
const useRow = (use: UpstreamUse): unknown[] => [
  use.hour,
  use.upstream.replaceAll('\0', '\ufffd'),
  use.model.replaceAll('\0', '\ufffd'),
  use.requests,
  use.errors,
  use.firstTokens,
  use.firstTokenMs,
  use.timedTokens,
  use.timedMs,
  use.promptTokens,
  use.completionTokens,
  use.costMicros,
]

const list = `SELECT upstream, model, (hour - CAST($fromHour AS BIGINT)) / CAST($hoursPerSlot AS BIGINT) AS slot,
    ${sums.map((name) => `sum(${name}) AS ${name}`).join(', ')}
  FROM upstream_hours WHERE hour BETWEEN $fromHour AND $toHour
  GROUP BY upstream, model, slot ORDER BY upstream, model, slot LIMIT $limit`

export function* listUpstreamUse(filter: {
  fromHour: number
  toHour: number
  hoursPerSlot: number
  limit: number
}): Query<UpstreamUseSlot[]> {
  const { fromHour, toHour, hoursPerSlot, limit } = filter
  return (yield* all(list, { fromHour, toHour, hoursPerSlot, limit })).map(useSlot)
}

const useSlot = (row: Row): UpstreamUseSlot => ({
  slot: integer(row, 'slot'),
  upstream: text(row, 'upstream'),
  model: text(row, 'model'),
  requests: integer(row, 'requests'),
  errors: integer(row, 'errors'),
  firstTokens: integer(row, 'first_tokens'),
  firstTokenMs: integer(row, 'first_token_ms'),
  timedTokens: integer(row, 'timed_tokens'),
  timedMs: integer(row, 'timed_ms'),
  promptTokens: integer(row, 'prompt_tokens'),
  completionTokens: integer(row, 'completion_tokens'),
  costMicros: integer(row, 'cost'),
})

export function* pruneUpstreamUse(beforeHour: number): Query<number> {
  const oldest = 'SELECT min(hour) FROM upstream_hours WHERE hour < ?'
  return yield* run(`DELETE FROM upstream_hours WHERE hour = (${oldest})`, beforeHour)
}
