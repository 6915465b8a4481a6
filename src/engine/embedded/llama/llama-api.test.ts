import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { backendFunctions, ggmlFunctions, llamaFunctions, parsePrototype, structFields, structs } from './llama-api.ts'

/** The sources of the very release whose libraries are loaded. */
const bundle = fileURLToPath(
  new URL('../../../../node_modules/node-llama-cpp/llama/gitRelease.bundle', import.meta.url),
)
const hasGit = spawnSync('git', ['--version']).status === 0
const headerPaths = ['include/llama.h', 'ggml/include/ggml.h', 'ggml/include/ggml-backend.h', 'ggml/include/ggml-cpu.h']

const folder = mkdtempSync(join(tmpdir(), 'helix-llama-headers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
const oneSpace = (text: string) => text.replace(/\s+/g, ' ')
const readHeaders = () => {
  execFileSync('git', ['clone', '--quiet', '--bare', bundle, folder])
  const read = (path: string) => execFileSync('git', ['-C', folder, 'show', `HEAD:${path}`], { encoding: 'utf8' })
  return oneSpace(withoutComments(headerPaths.map(read).join('\n')))
}
/** Spaces are set as the declarations have them: one around each star, none before a bracket. */
const evenly = (declaration: string) =>
  oneSpace(declaration.replace(/\*/g, ' * '))
    .replace(/ \(/g, '(')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .replace(/\* (?=\*)/g, '*')
    .trim()

test.skipIf(!hasGit)('structs and functions are declared as in the headers of the pinned release (needs git)', () => {
  const headers = readHeaders()
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
