import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedDocs } from '../scripts/generated-docs.ts'

test.each(Object.entries(generatedDocs()))('%s says what the code says (npm run docs writes it anew)', (path, text) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text)
})
