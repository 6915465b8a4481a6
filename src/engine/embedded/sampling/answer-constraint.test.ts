import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGrammar } from '../../../grammar/compile-grammar.ts'
import type { Grammar } from '../../../grammar/grammar.ts'
import { createAnswerConstraint } from './answer-constraint.ts'

const words = ['', 'a', 'b', 'ab', 'ba', '<go>', '<g', 'o>', 'o>a', 'o>c', '<go>b', '<go>c', 'c']
const tokenBytes = (id: number) => Buffer.from(words[id] ?? '')
const idOf = (word: string) => words.indexOf(word)
/** `ab`, once or twice. */
const grammar: Grammar = {
  root: 'main',
  rules: { main: { type: 'repeat', of: { type: 'text', text: 'ab' }, min: 1, max: 2 } },
}
const allowed = (constraint: ReturnType<typeof createAnswerConstraint>) =>
  words.filter((_, id) => constraint.allows(id))
const taking = (after: string | null, ...said: string[]) => {
  const constraint = createAnswerConstraint(
    { constraint: { grammar: compileGrammar(grammar), after }, withoutText: null },
    tokenBytes,
  )
  for (const word of said) constraint.accept(idOf(word))
  return constraint
}

test('without a grammar everything is allowed', () => {
  const constraint = createAnswerConstraint({ constraint: null, withoutText: null }, tokenBytes)
  expect(allowed(constraint)).toEqual(words)
  expect([constraint.mayEnd(), constraint.mustEnd()]).toEqual([true, false])
})

test('from the beginning, only what fits is allowed, and an end where the text is whole', () => {
  expect(allowed(taking(null))).toEqual(['a', 'ab'])
  expect(taking(null).mayEnd()).toBe(false)
  expect(allowed(taking(null, 'a'))).toEqual(['b', 'ba'])
  expect([taking(null, 'ab').mayEnd(), taking(null, 'ab').mustEnd()]).toEqual([true, false])
  expect(taking(null, 'a', 'ba', 'b').mustEnd()).toBe(true)
})

test('behind a text, the answer is free until the text has come, in one token or in pieces', () => {
  for (const said of [['<go>'], ['c', '<g', 'o>'], ['<g', '<go>']]) {
    const before = taking('<go>', ...said.slice(0, -1))
    expect(before.mayEnd()).toBe(true)
    const constraint = taking('<go>', ...said)
    expect(constraint.mayEnd()).toBe(false)
    expect(allowed(constraint)).toEqual(['a', 'ab'])
  }
})

test('what a token carries behind the text has to fit already', () => {
  const refused = (...said: string[]) => words.filter((word) => !allowed(taking('<go>', ...said)).includes(word))
  expect(refused('c')).toEqual(['<go>b', '<go>c'])
  expect(refused('<g')).toEqual(['o>c', '<go>b', '<go>c'])
  expect(allowed(taking('<go>', '<g', 'o>a'))).toEqual(['b', 'ba'])
})

test('whatever is taken among what is allowed, the text behind stays a beginning of the grammar', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (choices) => {
      const constraint = createAnswerConstraint(
        { constraint: { grammar: compileGrammar(grammar), after: '<go>' }, withoutText: null },
        tokenBytes,
      )
      let text = ''
      for (const choice of choices) {
        const open = allowed(constraint)
        const word = open[choice % open.length]
        if (word === undefined) break
        constraint.accept(idOf(word))
        text += word
      }
      const start = text.indexOf('<go>')
      if (start >= 0) expect('abab'.startsWith(text.slice(start + 4))).toBe(true)
    }),
  )
})

test('a text that must not come is never completed, whichever tokens it would be spelled in', () => {
  const constraint = () => createAnswerConstraint({ constraint: null, withoutText: '<go>' }, tokenBytes)
  expect(allowed(constraint())).toEqual(words.filter((word) => !word.includes('<go>')))
  const begun = constraint()
  begun.accept(idOf('<g'))
  expect(allowed(begun)).toEqual(words.filter((word) => !word.startsWith('o>') && !word.includes('<go>')))
  expect([begun.mayEnd(), begun.mustEnd()]).toEqual([true, false])
  fc.assert(
    fc.property(fc.array(fc.nat({ max: words.length - 1 })), (ids) => {
      const one = constraint()
      let said = ''
      for (const id of ids) {
        const next = said + (words[id] ?? '')
        expect(one.allows(id)).toBe(!next.includes('<go>'))
        if (!one.allows(id)) continue
        one.accept(id)
        said = next
      }
    }),
  )
})
