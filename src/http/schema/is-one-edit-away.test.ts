import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneEditAway } from './is-one-edit-away.ts'

const letter = fc.constantFrom('a', 'b', '_')
const name = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''))

/** All names that one edit makes of a name. */
const editsOf = (word: string): Set<string> => {
  const edits = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    edits.add(before + after.slice(1))
    for (const other of ['a', 'b', '_']) {
      edits.add(before + other + after)
      if (after !== '') edits.add(before + other + after.slice(1))
    }
    if (after.length > 1) edits.add(before + after.charAt(1) + after.charAt(0) + after.slice(2))
  }
  edits.delete(word)
  return edits
}

test('an insertion, a deletion, a substitution or a transposition is one edit, and nothing else is', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(isOneEditAway(one, other)).toBe(editsOf(one).has(other))
      for (const edit of editsOf(one)) expect(isOneEditAway(one, edit)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
