import { expect, test } from 'vitest'
import { renderLimits } from '../../site/public-pages/documents/limits.ts'
import { en } from '../../site/words/public/en.ts'
import { ja } from '../../site/words/public/ja.ts'
import { errorLimitSchema } from '../../src/operations/openapi-parts.ts'

/** Of the schema: its fields, and the values that some of them choose from. */
const namesIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties') return [...Object.keys(value), ...Object.values(value).flatMap(namesIn)]
    return key === 'enum' ? value : namesIn(value)
  })
}

test.each([
  ['English', { language: 'en', words: en }],
  ['Japanese', { language: 'ja', words: ja }],
] as const)('the page on limits names every field and value of error.limit (%s)', (_, context) => {
  const page = renderLimits({ ...context, name: '/docs/limits' }).body.html
  const names = ['error.limit', ...namesIn(errorLimitSchema.json)]
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !page.includes(`<code>${name}</code>`))).toEqual([])
})
