import type { UpstreamRecord } from '../../upstream-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, text, textOrNull } from '../row.ts'

export function* listUpstreams(): Query<UpstreamRecord[]> {
  return (yield* all('SELECT * FROM upstreams ORDER BY rowid')).map((row) => ({
    name: text(row, 'name'),
    definition: textOrNull(row, 'definition'),
    sealedKey: textOrNull(row, 'sealed_key'),
    isDraining: integer(row, 'is_draining') === 1,
    createdAt: integer(row, 'created_at'),
  }))
}

export function* insertUpstream(record: UpstreamRecord): Query<boolean> {
  const { name, definition, sealedKey, isDraining, createdAt } = record
  const sql = `INSERT INTO upstreams (name, definition, sealed_key, is_draining, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`
  return (yield* run(sql, name, definition, sealedKey, isDraining ? 1 : 0, createdAt)) === 1
}

export function* setUpstreamDraining(name: string, isDraining: boolean, now: number): Query<boolean> {
  const record = { name, definition: null, sealedKey: null, isDraining, createdAt: now }
  const isKnown = (yield* first('SELECT 1 FROM upstreams WHERE name = ?', name)) !== undefined
  if (!isKnown) return isDraining && (yield* insertUpstream(record))
  const sql = 'UPDATE upstreams SET is_draining = ? WHERE name = ? AND is_draining <> ?'
  return (yield* run(sql, isDraining ? 1 : 0, name, isDraining ? 1 : 0)) === 1
}

export function* updateUpstream(record: Pick<UpstreamRecord, 'name' | 'definition' | 'sealedKey'>): Query<boolean> {
  const { name, definition, sealedKey } = record
  const replace = 'UPDATE upstreams SET definition = ?, sealed_key = ? WHERE name = ? AND definition IS NOT NULL'
  return (yield* deleteText(run(replace, definition, sealedKey, name))) === 1
}

export function* removeUpstream(name: string): Query<boolean> {
  const remove = 'DELETE FROM upstreams WHERE name = ? AND definition IS NOT NULL'
  return (yield* deleteText(run(remove, name))) === 1
}
