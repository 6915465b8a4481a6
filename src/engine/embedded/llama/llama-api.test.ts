import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parsePrototype, structFields } from './bind-function.ts'
import { backendFunctions, ggmlFunctions, llamaFunctions, structs } from './llama-declarations.ts'

/** From the headers of the very release whose libraries are loaded (`npm run llama-declarations`). */
const readCopy = (name: string): string =>
  readFileSync(new URL(`../../../../test/llama.cpp/${name}`, import.meta.url), 'utf8')
const oneSpace = (text: string) => text.replace(/\s+/g, ' ')
/** Spaces are set as the declarations have them: one around each star, none before a bracket. */
const evenly = (declaration: string) =>
  oneSpace(declaration.replace(/\*/g, ' * '))
    .replace(/ \(/g, '(')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .replace(/\* (?=\*)/g, '*')
    .trim()

test('the copied declarations belong to the version of the platform packages', () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  )
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@node-llama-cpp/'))
  expect(versions.length).toBeGreaterThan(2)
  for (const [name, version] of versions) expect(version, name).toBe(readCopy('VERSION').trim())
})

test('structs and functions are declared as in the headers of the pinned release', () => {
  const headers = oneSpace(readCopy('declarations.h'))
  for (const [name, body] of Object.entries(structs)) {
    const declared = new RegExp(`struct ${name} \\{(.*?)\\}`).exec(headers)?.[1] ?? ''
    expect(structFields(evenly(body)), name).toEqual(structFields(evenly(declared)))
  }
  for (const prototype of [...llamaFunctions, ...ggmlFunctions, ...backendFunctions]) {
    const { name } = parsePrototype(prototype)
    const declared = new RegExp(`(?:LLAMA|GGML|GGML_BACKEND)_API ([^;()]*\\b${name} ?\\([^)]*\\))`).exec(headers)?.[1]
    expect(evenly(prototype), name).toBe(evenly(declared ?? ''))
  }
})
