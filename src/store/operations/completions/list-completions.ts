import type { CompletionFilter, CompletionPage, ListedCompletion } from '../../contract.ts'
import { all, first, type Query, type Sql } from '../query.ts'

import { integer, type Row } from '../row.ts'
import { listedCompletion, metadataPairs } from './completions.ts'

type Order = CompletionFilter['order']
type Position = { createdAt: number; sequence: number }

/** A page of long completions ends early, to bound the memory it needs. It always has at least one. */
const maxPageBytes = 8 * 1024 * 1024

export function* listCompletions(
  organisationId: string,
  { model, metadata, after, limit, order }: CompletionFilter,
): Query<CompletionPage | 'unknown_cursor'> {
  const start = after === null ? beforeFirst[order] : yield* findPosition(organisationId, after)
  if (start === null) return 'unknown_cursor'
  const pairs = metadataPairs(metadata)
  const found = yield* all(pages[pairs.length === 0 ? 'all' : 'filtered'][order], {
    organisation: organisationId,
    model,
    pairs: JSON.stringify(pairs),
    limit: limit + 1,
    ...start,
  })
  const sequences = whatFits(found.slice(0, limit))
  return { items: yield* readCompletions(sequences), hasMore: sequences.length < found.length }
}

const whatFits = (found: readonly Row[]): number[] => {
  let bytes = 0
  const sequences: number[] = []
  for (const row of found) {
    bytes += integer(row, 'bytes')
    if (sequences.length > 0 && bytes > maxPageBytes) break
    sequences.push(integer(row, 'sequence'))
  }
  return sequences
}

/** In the order of their numbers in the list. */
function* readCompletions(sequences: readonly number[]): Query<ListedCompletion[]> {
  if (sequences.length === 0) return []
  const rows = yield* all(rowsOfSequences, { sequences: JSON.stringify(sequences) })
  const items = new Map(rows.map((row) => [integer(row, 'sequence'), listedCompletion(row)]))
  return sequences.flatMap((sequence) => items.get(sequence) ?? [])
}

const rowsSql = (sequences: string): string => `
  SELECT sequence, id, organisation_id, created_at, model, metadata, completion FROM stored_completions
  WHERE sequence IN (${sequences})`

const rowsOfSequences: Sql = {
  sqlite: rowsSql('SELECT value FROM json_each($sequences)'),
  postgres: rowsSql('SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($sequences AS JSON))'),
}

const beforeFirst: Record<Order, Position> = {
  asc: { createdAt: Number.MIN_SAFE_INTEGER, sequence: 0 },
  desc: { createdAt: Number.MAX_SAFE_INTEGER, sequence: 0 },
}

function* findPosition(organisationId: string, id: string): Query<Position | null> {
  const find = 'SELECT created_at, sequence FROM stored_completions WHERE organisation_id = ? AND id = ?'
  const row = yield* first(find, organisationId, id)
  return row === undefined ? null : { createdAt: integer(row, 'created_at'), sequence: integer(row, 'sequence') }
}

/** What each database calls the parts of a list of texts in JSON. */
const parts = {
  sqlite: { each: 'json_each($pairs)', first: "json_extract($pairs, '$[0]')" },
  postgres: { each: 'json_array_elements_text(CAST($pairs AS JSON))', first: 'CAST($pairs AS JSON) ->> 0' },
}

/**
 * Reads the rows of the filter's first pair, or those of the organisation without a filter: both are indexed in this order.
 * Reads only the lengths, not the texts. SQLite reads the left side of a CROSS JOIN first.
 */
const pageSql = (database: keyof typeof parts, isFiltered: boolean, order: Order): string => {
  const { each, first } = parts[database]
  const walked = isFiltered ? 'first' : 'c'
  const join = database === 'sqlite' ? 'CROSS JOIN' : 'JOIN'
  const source = isFiltered
    ? `stored_completion_pairs AS first
      ${join} stored_completions AS c ON c.sequence = first.sequence AND first.pair = ${first}`
    : 'stored_completions AS c'
  return `
  SELECT c.sequence, octet_length(c.completion) AS bytes
  FROM ${source}
  WHERE ${walked}.organisation_id = $organisation
    AND (${walked}.created_at, ${walked}.sequence) ${order === 'asc' ? '>' : '<'} ($createdAt, $sequence)
    AND (CAST($model AS TEXT) IS NULL OR c.model = $model)
    AND NOT EXISTS (
      SELECT 1 FROM ${each} AS wanted WHERE NOT EXISTS (
        SELECT 1 FROM stored_completion_pairs AS held
        WHERE held.organisation_id = c.organisation_id AND held.pair = wanted.value
          AND held.created_at = c.created_at AND held.sequence = c.sequence
      )
    )
  ORDER BY ${walked}.created_at ${order}, ${walked}.sequence ${order} LIMIT $limit`
}

const page = (isFiltered: boolean, order: Order) => ({
  sqlite: pageSql('sqlite', isFiltered, order),
  postgres: pageSql('postgres', isFiltered, order),
})

/** All statements of lists, each compiled once. */
export const pages = {
  all: { asc: page(false, 'asc'), desc: page(false, 'desc') },
  filtered: { asc: page(true, 'asc'), desc: page(true, 'desc') },
}
