import { expect, test } from 'vitest'
import { renderLimits } from '../../site/public-pages/documents/limits.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { errorLimitSchema } from '../../src/operations/openapi-parts.ts'

/** Of the schema: its fields, and the values that some of them choose from. */
const namesIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties') return [...Object.keys(value), ...Object.values(value).flatMap(namesIn)]
    return key === 'enum' ? value : namesIn(value)
  })
}

test.each(languages)('the page on limits names every field and value of error.limit ($code)', async (language) => {
  const words = await readWords(language.code, 'public-pages')
  const page = renderLimits({ language, languages, words, name: '/docs/limits' }).body.html
  const names = ['error.limit', ...namesIn(errorLimitSchema.json)]
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !page.includes(`<code>${name}</code>`))).toEqual([])
})
