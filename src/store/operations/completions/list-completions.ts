import type { DatabaseSync } from 'node:sqlite'
import type { CompletionFilter, CompletionPage, ListedCompletion } from '../../contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer } from '../row.ts'
import { listedCompletion, pairsOf } from './completions.ts'

type Order = CompletionFilter['order']
type Position = { createdAt: number; sequence: number }

/** A page of long completions ends early, to bound the memory it needs. It always has at least one. */
const maxPageCharacters = 8 * 1024 * 1024

export const listCompletions = (
  db: DatabaseSync,
  organisationId: string,
  { model, metadata, after, limit, order }: CompletionFilter,
): CompletionPage | 'unknown_cursor' => {
  const start = after === null ? beforeFirst[order] : positionOf(db, organisationId, after)
  if (start === null) return 'unknown_cursor'
  const pairs = pairsOf(metadata)
  const rows = prepared(db, pages[pairs.length === 0 ? 'all' : 'filtered'][order]).iterate({
    organisation: organisationId,
    model,
    pairs: JSON.stringify(pairs),
    ...start,
  })
  const items: ListedCompletion[] = []
  let characters = 0
  for (const row of rows) {
    if (items.length === limit) return { items, hasMore: true }
    const item = listedCompletion(row)
    characters += item.completion.length
    if (items.length > 0 && characters > maxPageCharacters) return { items, hasMore: true }
    items.push(item)
  }
  return { items, hasMore: false }
}

const beforeFirst: Record<Order, Position> = {
  asc: { createdAt: Number.MIN_SAFE_INTEGER, sequence: 0 },
  desc: { createdAt: Number.MAX_SAFE_INTEGER, sequence: 0 },
}

const positionOf = (db: DatabaseSync, organisationId: string, id: string): Position | null => {
  const find = 'SELECT created_at, sequence FROM stored_completions WHERE organisation_id = ? AND id = ?'
  const row = prepared(db, find).get(organisationId, id)
  return row === undefined ? null : { createdAt: integer(row, 'created_at'), sequence: integer(row, 'sequence') }
}

/** With a filter the rows of its first pair are walked, else those of the organisation: both lie in order already. */
const pageSql = (source: string, walked: string, order: Order): string => `
  SELECT c.id, c.organisation_id, c.created_at, c.model, c.metadata, c.completion
  FROM ${source}
  WHERE ${walked}.organisation_id = $organisation
    AND (${walked}.created_at, ${walked}.sequence) ${order === 'asc' ? '>' : '<'} ($createdAt, $sequence)
    AND ($model IS NULL OR c.model = $model)
    AND NOT EXISTS (
      SELECT 1 FROM json_each($pairs) AS wanted WHERE NOT EXISTS (
        SELECT 1 FROM stored_completion_pairs AS held
        WHERE held.organisation_id = c.organisation_id AND held.pair = wanted.value
          AND held.created_at = c.created_at AND held.sequence = c.sequence
      )
    )
  ORDER BY ${walked}.created_at ${order}, ${walked}.sequence ${order}`

const everyRow = 'stored_completions AS c'
const rowsOfFirstPair = `stored_completion_pairs AS first
    CROSS JOIN stored_completions AS c ON c.sequence = first.sequence AND first.pair = json_extract($pairs, '$[0]')`

/** Every question a list can ask, compiled once each. */
export const pages = {
  all: { asc: pageSql(everyRow, 'c', 'asc'), desc: pageSql(everyRow, 'c', 'desc') },
  filtered: { asc: pageSql(rowsOfFirstPair, 'first', 'asc'), desc: pageSql(rowsOfFirstPair, 'first', 'desc') },
}
