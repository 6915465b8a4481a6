import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { architectures, encoders } from './architectures.ts'
import { fileTypes, tensorTypes } from './tensor-types.ts'

/** From the sources of the very release whose libraries are loaded (`npm run llama-declarations`). */
const read = (name: string): string => readFileSync(new URL(`../../test/llama.cpp/${name}`, import.meta.url), 'utf8')
const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start)
  expect(from, start).toBeGreaterThan(-1)
  return text.slice(from, text.indexOf(end, from))
}

test('architectures and types are those of the pinned llama.cpp release', () => {
  const names = read('architectures.txt').matchAll(/"([^"]+)"/g)
  const notModels = ['clip', '(unknown)']
  const known = [...names].map(([, name = '']) => name).filter((name) => !notModels.includes(name))
  expect([...architectures].sort()).toEqual(known.sort())
  expect([...encoders].filter((name) => !architectures.has(name))).toEqual([])

  const python = read('quantization.txt')
  const numbers = between(python, 'class GGMLQuantizationType', '\nGGML_QUANT_SIZES').matchAll(
    /^ {4}(\w+)\s*= (\d+)$/gm,
  )
  const numberOf = new Map([...numbers].map(([, name, number]) => [name, Number(number)]))
  const sizes = between(python, 'GGML_QUANT_SIZES', '\n}').matchAll(/\.(\w+):\s*\((\d+), ([^)]+)\)/g)
  const types = [...sizes].map(([, name = '', elements, bytes = '']) => {
    const row = { name, blockElements: Number(elements), blockBytes: evaluated(bytes) }
    return [numberOf.get(name) ?? -1, row] as const
  })
  expect(new Map(tensorTypes)).toEqual(new Map(types))

  const enumeration = between(read('declarations.h'), 'enum llama_ftype {', '};')
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
