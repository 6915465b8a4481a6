import { expect, test } from 'vitest'
import { decompileGrammar } from '../../test/harness/decompile-grammar.ts'
import { compileGrammar } from './compile-grammar.ts'
import { charClass, choice, type Grammar, repeat, rule, sequence, text } from './grammar.ts'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'
import { createMatcher, type Matcher } from './matcher.ts'

const accepts = (matcher: Matcher, said: string): boolean => {
  const end = matcher.advance(matcher.start, Buffer.from(said))
  return end !== null && matcher.mayEnd(end)
}
const objectOf = (properties: number): Grammar => {
  const names = Array.from({ length: properties }, (_, index) => `property ${index}`)
  const values = Object.fromEntries(names.map((name, index) => [name, { enum: [`value ${index}`, index] }]))
  return jsonSchemaGrammar(
    { type: 'object', properties: values, required: names, additionalProperties: false },
    { strict: true },
  )
}

test('however large a compiled grammar is, a matcher for it is ready at once', () => {
  const stepsToOpen = (compiled: Uint8Array<ArrayBuffer>): number => {
    let steps = 0
    createMatcher(compiled, { onWork: (more) => (steps += more) })
    return steps
  }
  const [small, large] = [compileGrammar(objectOf(3)), compileGrammar(objectOf(3_000))]
  expect(large.length).toBeGreaterThan(200 * small.length)
  expect(stepsToOpen(large)).toBe(stepsToOpen(small))
})

test('a grammar can be used at any place in the bytes of a message', () => {
  const compiled = compileGrammar(objectOf(2))
  const message = new Uint8Array(compiled.length + 3)
  message.set(compiled, 3)
  const matcher = createMatcher(message.subarray(3))
  expect(accepts(matcher, '{"property 0":"value 0","property 1":1}')).toBe(true)
  expect(accepts(matcher, '{"property 0":"value 1","property 1":1}')).toBe(false)
})

test('rules that only name other rules are followed to their end', () => {
  const rules = { a: rule('b'), b: rule('c'), c: choice(text('x'), sequence(text('('), rule('a'), text(')'))) }
  const matcher = createMatcher(compileGrammar({ root: 'a', rules }))
  expect(accepts(matcher, '((x))')).toBe(true)
  expect(accepts(matcher, '((x)')).toBe(false)
})

test('texts and classes that occur many times are written once', () => {
  const letters = charClass([0x41, 0x5a], [0x3040, 0x30ff])
  const list = (count: number): Grammar => ({
    root: 'list',
    rules: {
      list: sequence(...Array.from({ length: count }, () => sequence(repeat(letters), text('a long separator')))),
    },
  })
  const sizeOf = (count: number): number => compileGrammar(list(count)).length
  expect(sizeOf(3) - sizeOf(2)).toBe(sizeOf(101) - sizeOf(100))
  expect(sizeOf(3) - sizeOf(2)).toBeLessThan(40)
})

test('a grammar can be read back from its compiled form', () => {
  const grammar = objectOf(3)
  const matcher = createMatcher(grammar)
  const again = createMatcher(decompileGrammar(compileGrammar(grammar)))
  for (const said of ['{"property 0":0,"property 1":1,"property 2":2}', '{"property 0":0}', '{}', ''])
    expect(accepts(again, said)).toBe(accepts(matcher, said))
})
