import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerTokens, countTokens, faults, questionId, questionText, readQuestion } from './question-text.ts'

const question = fc.record({
  fault: fc.constantFrom(...faults),
  number: fc.nat(9999),
  words: fc.integer({ min: 1, max: 200 }),
  paceMs: fc.nat(50),
})

test('The upstream reads the question that a client asked', () => {
  fc.assert(
    fc.property(question, ({ fault, number, words, paceMs }) => {
      const asked = { id: questionId(fault, number), fault, words, paceMs }
      expect(readQuestion(questionText(asked))).toEqual(asked)
    }),
  )
})

test('The tokens of the beginning of an answer are counted, and another text is recognised', () => {
  fc.assert(
    fc.property(question, fc.nat(200), ({ fault, number, words }, place) => {
      const asked = { id: questionId(fault, number), words }
      const tokens = answerTokens(asked)
      const count = place % (words + 1)
      expect(countTokens(asked, tokens.slice(0, count).join(''))).toBe(count)
      expect(countTokens(asked, `${tokens.join('')}x`)).toBeNull()
      expect(countTokens(asked, tokens.slice(1).join('') || 'x')).toBeNull()
    }),
  )
})
