import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { UpstreamRecord } from '../../upstream-contract.ts'
import { integer, text, textOrNull } from '../row.ts'

export const listUpstreams = (db: DatabaseSync): UpstreamRecord[] =>
  prepared(db, 'SELECT * FROM upstreams ORDER BY rowid')
    .all()
    .map((row) => ({
      name: text(row, 'name'),
      definition: textOrNull(row, 'definition'),
      sealedKey: textOrNull(row, 'sealed_key'),
      isDraining: integer(row, 'is_draining') === 1,
      createdAt: integer(row, 'created_at'),
    }))

export const insertUpstream = (db: DatabaseSync, record: UpstreamRecord): boolean => {
  const { name, definition, sealedKey, isDraining, createdAt } = record
  const sql = `INSERT INTO upstreams (name, definition, sealed_key, is_draining, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`
  return prepared(db, sql).run(name, definition, sealedKey, isDraining ? 1 : 0, createdAt).changes === 1
}

export const setUpstreamDraining = (db: DatabaseSync, name: string, isDraining: boolean, now: number): boolean => {
  const record = { name, definition: null, sealedKey: null, isDraining, createdAt: now }
  const isKnown = prepared(db, 'SELECT 1 FROM upstreams WHERE name = ?').get(name) !== undefined
  if (!isKnown) return isDraining && insertUpstream(db, record)
  const sql = 'UPDATE upstreams SET is_draining = ? WHERE name = ? AND is_draining <> ?'
  return prepared(db, sql).run(isDraining ? 1 : 0, name, isDraining ? 1 : 0).changes === 1
}

export const removeUpstream = (db: DatabaseSync, name: string): boolean =>
  prepared(db, 'DELETE FROM upstreams WHERE name = ? AND definition IS NOT NULL').run(name).changes === 1
