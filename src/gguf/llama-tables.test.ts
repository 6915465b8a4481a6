import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { architectures, encoders } from './architectures.ts'
import { fileTypes, tensorTypes } from './tensor-types.ts'

/** The sources of the very release whose libraries are loaded. */
const bundle = fileURLToPath(new URL('../../node_modules/node-llama-cpp/llama/gitRelease.bundle', import.meta.url))
const hasGit = spawnSync('git', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'helix-llama-sources-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (path: string): string =>
  execFileSync('git', ['-C', folder, 'show', `HEAD:${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start)
  expect(from, start).toBeGreaterThan(-1)
  return text.slice(from, text.indexOf(end, from))
}

test.skipIf(!hasGit)('architectures and types are those of the pinned llama.cpp release (needs git)', () => {
  execFileSync('git', ['clone', '--quiet', '--bare', bundle, folder])

  const names = between(read('src/llama-arch.cpp'), 'LLM_ARCH_NAMES = {', '};').matchAll(/"([^"]+)"/g)
  const notModels = ['clip', '(unknown)']
  const known = [...names].map(([, name = '']) => name).filter((name) => !notModels.includes(name))
  expect([...architectures].sort()).toEqual(known.sort())
  expect([...encoders].filter((name) => !architectures.has(name))).toEqual([])

  const python = read('gguf-py/gguf/constants.py')
  const numbers = between(python, 'class GGMLQuantizationType', '\nclass ').matchAll(/^ {4}(\w+)\s*= (\d+)$/gm)
  const numberOf = new Map([...numbers].map(([, name, number]) => [name, Number(number)]))
  const sizes = between(python, 'GGML_QUANT_SIZES', '\n}').matchAll(/\.(\w+):\s*\((\d+), ([^)]+)\)/g)
  const types = [...sizes].map(([, name = '', elements, bytes = '']) => {
    const row = { name, blockElements: Number(elements), blockBytes: evaluated(bytes) }
    return [numberOf.get(name) ?? -1, row] as const
  })
  expect(new Map(tensorTypes)).toEqual(new Map(types))

  const enumeration = between(read('include/llama.h'), 'enum llama_ftype {', '};')
  const listed = enumeration.matchAll(/^\s+LLAMA_FTYPE_(?:ALL|MOSTLY)_(\w+)\s*= (\d+)/gm)
  expect(new Map(fileTypes)).toEqual(new Map([...listed].map(([, name = '', number]) => [Number(number), name])))
})

/** Sums of products and whole divisions: `2 + 4 * 13`, `2 + QK_K // 16`. */
const evaluated = (expression: string): number =>
  expression
    .replaceAll('QK_K', '256')
    .split('+')
    .map((term) => {
      const [first = '', operator, second = ''] = term.trim().split(/\s*(\*|\/\/)\s*/)
      if (operator === '*') return Number(first) * Number(second)
      return operator === '//' ? Math.floor(Number(first) / Number(second)) : Number(first)
    })
    .reduce((total, term) => total + term, 0)
