import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { textColumns } from './delete-text.ts'

const files = globSync('{operations,sqlite/operations}/**/*.ts', { cwd: new URL('..', import.meta.url) })
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => ({ name, code: readFileSync(new URL(`../${name}`, import.meta.url), 'utf8') }))

const isKnown = (table: string): table is keyof typeof textColumns => table in textColumns

const deletesText = (sql: string): boolean => {
  const [, removed = ''] = /DELETE FROM (\w+)/.exec(sql) ?? []
  if (isKnown(removed)) return true
  const [, inserted = '', upserted = ''] = /INSERT INTO (\w+)[\s\S]*?DO UPDATE SET([\s\S]*)/.exec(sql) ?? []
  const [, updated = '', set = ''] = /UPDATE (\w+) SET([\s\S]*?)(?:WHERE|$)/.exec(sql) ?? []
  const assigns = (table: string, assigned: string): boolean =>
    isKnown(table) && textColumns[table].some((column) => new RegExp(`\\b${column}\\b`).test(assigned))
  return assigns(inserted, upserted) || assigns(updated, set)
}

/** The statements of a file, each with what it is passed to: a call, or the constant it is assigned to. */
const statements = (code: string) =>
  [...code.matchAll(/(\w+\(|const \w+ =)\s*(['"`])((?:DELETE FROM|UPDATE|INSERT INTO)[\s\S]*?)\2/g)].map(
    ([, before = '', , sql = '']) => ({ sql, constant: /const (\w+)/.exec(before)?.[1] }),
  )

/** Without `deleteText(` in front, or, if it runs on SQLite alone, without a note of it. */
const isUnerased = (code: string, { sql, constant }: ReturnType<typeof statements>[number]): boolean => {
  if (code.includes('noteDeletedText(db)')) return false
  const before = code.split(constant === undefined ? sql : new RegExp(`\\b${constant}\\b`)).slice(0, -1)
  const calls = before.filter((text) => /\b(run|first|all)\(\s*['"`]?$/.test(text))
  return calls.length === 0 || calls.some((text) => !/deleteText\(\s*(run|first|all)\(\s*['"`]?$/.test(text))
}

test('every statement that deletes or overwrites text goes through deleteText', () => {
  const found = files.flatMap(({ name, code }) =>
    statements(code)
      .filter(({ sql }) => deletesText(sql))
      .map((statement) => ({ name, sql: statement.sql, isUnerased: isUnerased(code, statement) })),
  )
  expect(found.length).toBeGreaterThan(30)
  expect(found.filter((statement) => statement.isUnerased)).toEqual([])
})
