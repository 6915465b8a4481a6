import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The title of a test for a check begins with its number: `14: …`, or `57, 83: …`. */
const title = /['"`](\d{1,2}(?:, ?\d{1,2})*): /g

/** The test files for each check, by its number. */
export const findShownChecks = (): ReadonlyMap<number, readonly string[]> => {
  const root = join(import.meta.dirname, '..')
  const shown = new Map<number, string[]>()
  for (const path of globSync('{src,test,conformance}/**/*.test.ts', { cwd: root }).sort()) {
    const numbers = [...readFileSync(join(root, path), 'utf8').matchAll(title)].flatMap(([, list = '']) =>
      list.split(',').map(Number),
    )
    for (const number of new Set(numbers)) shown.set(number, [...(shown.get(number) ?? []), path])
  }
  return shown
}
