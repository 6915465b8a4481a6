import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pseudoText, pseudoWords } from './pseudo-words.ts'

test('English gets accents and two fifths more letters, and stays readable', () => {
  expect(pseudoText('Save')).toBe('Sáááve'.replace('e', 'é'))
  expect(pseudoText('Create a key').length).toBeGreaterThanOrEqual(Math.ceil(12 * 1.4))
})

test('every text with a word is at least two fifths longer', () => {
  const words = fc.array(fc.stringMatching(/^[A-Za-z]{1,12}[.,:!?]?$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(words, (each) => {
      const text = each.join(' ')
      expect(pseudoText(text).length).toBeGreaterThanOrEqual(text.length * 1.4)
    }),
  )
})

test('code, marks, placeholders, addresses and figures stay as they are', () => {
  const parts = ['`npm ci`', '<b>', '{reason}', 'ann@example.com', '10.0.0.0/8', 'max_tokens', '<code>npm start</code>']
  fc.assert(
    fc.property(fc.constantFrom(...parts), fc.stringMatching(/^[a-z]{1,9}$/), (part, word) => {
      expect(pseudoText(`${word} ${part} ${word}`)).toContain(` ${part} `)
    }),
  )
})

test('the values in a sentence stay as they are', () => {
  const english = {
    invited: (by: string | null, count: number) => `${by ?? 'Someone'} invited ${count} people.`,
    roles: { admin: 'Admin' },
  }
  const pseudo = pseudoWords(english)
  expect(pseudo.invited('anna', 3)).toMatch(/^anna î.* 3 p/)
  expect(pseudo.invited(null, 3)).not.toContain('Someone')
  expect(pseudo.roles.admin).not.toBe('Admin')
})
