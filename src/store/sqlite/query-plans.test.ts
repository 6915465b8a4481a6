import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrations } from '../migrations/migrations.ts'
import { pages } from '../operations/completions/list-completions.ts'
import { migrate } from './migrate.ts'

test('lists of completions are read in the order of an index, never sorted', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, { migrations, backupDirectory: '/nowhere', now: 0 })
  for (const { sqlite } of Object.values(pages).flatMap((orders) => Object.values(orders))) {
    const steps = db
      .prepare(`EXPLAIN QUERY PLAN ${sqlite}`)
      .all()
      .map(({ detail }) => String(detail))
    expect(steps.join('\n')).not.toMatch(/TEMP B-TREE|SCAN (c|first|held)/)
  }
  db.close()
})
