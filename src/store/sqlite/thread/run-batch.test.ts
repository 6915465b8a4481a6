import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type Job, runBatch } from './run-batch.ts'

const openNumbers = (): DatabaseSync => {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT')
  return db
}
const insert = (id: number, n: number, conflict = 'ABORT'): Job => ({
  id,
  writes: true,
  run: (db) => db.prepare(`INSERT OR ${conflict} INTO numbers VALUES (?)`).run(n).changes,
})
const all = (db: DatabaseSync): unknown[] =>
  db
    .prepare('SELECT n FROM numbers ORDER BY n')
    .all()
    .map(({ n }) => n)
const list = (id: number): Job => ({ id, writes: false, run: all })

const halfDone: Job = {
  id: 2,
  writes: true,
  run(db) {
    db.exec('INSERT INTO numbers VALUES (50)')
    throw new Error('changed its mind')
  },
}

test('a failing write does not harm its neighbours', () => {
  const db = openNumbers()
  const { answers, committed } = runBatch(db, [insert(1, 1), halfDone, insert(3, 1), insert(4, 2)])
  expect(committed).toBe(true)
  expect(answers).toEqual([
    { id: 1, ok: true, value: 1 },
    { id: 2, ok: false, reason: 'changed its mind' },
    { id: 3, ok: false, reason: 'UNIQUE constraint failed: numbers.n' },
    { id: 4, ok: true, value: 1 },
  ])
  expect(all(db)).toEqual([1, 2])
})

test('a write that fails alone leaves nothing behind', () => {
  const db = openNumbers()
  const lost = { answers: [{ id: 2, ok: false, reason: 'changed its mind' }], committed: false }
  expect(runBatch(db, [halfDone])).toEqual(lost)
  expect(runBatch(db, [insert(1, 1)])).toEqual({ answers: [{ id: 1, ok: true, value: 1 }], committed: true })
  expect(runBatch(db, [insert(3, 1, 'ROLLBACK')])).toMatchObject({ answers: [{ id: 3, ok: false }], committed: false })
  expect(all(db)).toEqual([1])
})

test('a read sees the writes that were asked for before it', () => {
  const { answers } = runBatch(openNumbers(), [list(1), insert(2, 7), list(3), insert(4, 8)])
  expect(answers[0]).toEqual({ id: 1, ok: true, value: [] })
  expect(answers[2]).toEqual({ id: 3, ok: true, value: [7] })
})

test('when the transaction is lost, nobody is told that it worked, and reads tell what there is without it', () => {
  const db = openNumbers()
  const { answers, committed } = runBatch(db, [insert(1, 1), list(2), insert(3, 1, 'ROLLBACK'), insert(4, 4)])
  expect(committed).toBe(false)
  expect(answers).toMatchObject([
    { id: 1, ok: false },
    { id: 2, ok: true, value: [] },
    { id: 3, ok: false },
    { id: 4, ok: false },
  ])
  expect(all(db)).toEqual([])
  expect(runBatch(db, [insert(5, 5)]).committed).toBe(true)
})

test('reads alone commit nothing', () => {
  expect(runBatch(openNumbers(), [list(1), list(2)]).committed).toBe(false)
})
