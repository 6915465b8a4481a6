import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from './harness/run-program.ts'

const page = readFileSync(join(repository, 'docs/contributing/how-to.md'), 'utf8')

const changes = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ title: section.split('\n')[0] ?? '', section }))

/** A command that finds the files of an example, and the table below it. */
const examples = changes.flatMap(({ title, section }) =>
  [...section.matchAll(/^git grep -lwE? '([^']+)' (.+)\n```\n((?:.*\n)*?)(?=\n[^|\n]|```)/gm)].map(
    ([, pattern = '', places = '', below = '']) => ({
      title,
      pattern,
      places: places.split(' ').filter((place) => !place.startsWith("':!")),
      listed: [...below.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path),
    }),
  ),
)

/** As `git grep -lwE`, in a copy without git too. */
const find = (pattern: string, places: readonly string[]): string[] => {
  const word = new RegExp(`(?<!\\w)(?:${pattern})(?!\\w)`)
  const files = places.flatMap((place) =>
    /\.\w+$/.test(place) ? [place] : globSync(`${place}/**/*.{ts,tsx,mjs}`, { cwd: repository }),
  )
  return files
    .filter((path) => !path.endsWith('.test.ts'))
    .filter((path) => word.test(readFileSync(join(repository, path), 'utf8')))
}

test.each(changes)('$title: has an example', ({ title }) => {
  expect(examples.filter((example) => example.title === title)).not.toEqual([])
})

describe.each(examples)('$title: the example $pattern', ({ pattern, places, listed }) => {
  test('is in exactly the files of its table', () => {
    expect(listed.toSorted()).toEqual(find(pattern, places).sort())
  })
})
