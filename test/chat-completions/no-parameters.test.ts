import { expect, test } from 'vitest'
import type { Sampling } from '../../src/engine/contract.ts'
import { decompileGrammar } from '../harness/decompile-grammar.ts'
import { speakGrammar } from '../harness/speak-grammar.ts'
import { startHelix } from '../harness/start-helix.ts'

/** The engine says whatever the grammar lets it say. */
const answer = (_: unknown, { constraint }: Sampling): string[] => [
  constraint === null ? 'free' : speakGrammar(decompileGrammar(constraint.grammar), Math.random, { maxBytes: 300 }),
]

const argumentsOf = async (parameters: object | undefined): Promise<Set<string>> => {
  const helix = await startHelix({ answer })
  const tools = [{ type: 'function', function: { name: 'hand_over', parameters } }]
  const said = new Set<string>()
  for (let round = 0; round < 20; round += 1) {
    const response = await helix.chat({ tools, tool_choice: 'required', parallel_tool_calls: false })
    const { choices } = JSON.parse(await response.text())
    said.add(choices[0].message.tool_calls[0].function.arguments.replace(/\s/g, ''))
  }
  return said
}

test.each([
  ['no parameters', undefined],
  ['an object', { type: 'object' }],
  ['an object without properties', { type: 'object', properties: {}, required: [] }],
  ['a closed object without properties', { type: 'object', properties: {}, additionalProperties: false }],
])('a function with %s is called with {}', async (_, parameters) => {
  expect(await argumentsOf(parameters)).toEqual(new Set(['{}']))
})

test.each([
  ['says that it takes any', { type: 'object', properties: {}, additionalProperties: true }],
  ['describes others', { type: 'object', properties: {}, additionalProperties: { type: 'integer' } }],
  ['requires one', { type: 'object', required: ['a'] }],
  [
    'declares them in branches',
    { type: 'object', anyOf: [{ properties: { a: { type: 'integer' } }, required: ['a'] }] },
  ],
])('a function without properties that %s is called with them', async (_, parameters) => {
  const said = await argumentsOf(parameters)
  expect([...said].some((text) => text !== '{}')).toBe(true)
})
