import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import { pageLayout, unusedSpace } from './unused-space.ts'

const fileOf = (path: string, sql: string): Buffer => {
  const file = join(path, 'some.db')
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
  return readFileSync(file)
}

/** Throws if it is damaged. */
const contentOf = (path: string, file: Buffer): unknown => {
  writeFileSync(join(path, 'copy.db'), file)
  const db = new DatabaseSync(join(path, 'copy.db'))
  try {
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return db.prepare('SELECT * FROM texts').all()
  } finally {
    db.close()
  }
}

test.each([512, 4_096, 65_536])('pages of %i bytes: the unused space can be overwritten', (pageBytes) => {
  using scratch = scratchDirectory()
  const file = fileOf(
    scratch.path,
    `PRAGMA page_size = ${pageBytes};
    CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT UNIQUE) STRICT;
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
      INSERT INTO texts SELECT n, printf('%.*c', 10 + n % 300, 'x') || n FROM numbers;
    DELETE FROM texts WHERE id % 3 = 0`,
  )
  const layout = pageLayout(file)
  expect(layout).toMatchObject({ pageBytes, usableBytes: pageBytes })
  const filled = Buffer.from(file)
  for (let number = 1; number * pageBytes <= file.length; number += 1) {
    const page = file.subarray((number - 1) * pageBytes, number * pageBytes)
    for (const { start, end } of unusedSpace(page, number, pageBytes))
      filled.fill('unused', (number - 1) * pageBytes + start, (number - 1) * pageBytes + end)
  }
  expect(filled.equals(file)).toBe(false)
  expect(contentOf(scratch.path, filled)).toEqual(contentOf(scratch.path, file))
})

test('B-tree pages cannot be told from others in files with auto_vacuum or of 128 GiB', () => {
  using scratch = scratchDirectory()
  const plain = pageLayout(fileOf(scratch.path, 'CREATE TABLE texts (text TEXT) STRICT'))
  expect([plain.isDistinct(33_554_431), plain.isDistinct(33_554_432)]).toEqual([true, false])
  using other = scratchDirectory()
  const vacuumed = pageLayout(fileOf(other.path, 'PRAGMA auto_vacuum = FULL; CREATE TABLE texts (text TEXT) STRICT'))
  expect(vacuumed.isDistinct(1)).toBe(false)
})
