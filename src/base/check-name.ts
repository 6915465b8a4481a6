const maxCharacters = 100

/** Control characters, lone surrogates, line separators and bidirectional formatting characters. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Neither a space nor a character that takes no place or shows nothing. */
const visible = /[^\p{C}\p{Z}\p{DI}\u2800]/u

type CheckedName = { outcome: 'accepted'; name: string } | { outcome: 'refused'; reason: string }

/** A name must display as a single, unaltered line in a table or terminal. */
export const checkName = (name: string): CheckedName => {
  const trimmed = name.trim()
  const characters = [...trimmed].length
  if (characters === 0 || !visible.test(trimmed)) return { outcome: 'refused', reason: 'it must not be empty' }
  if (characters > maxCharacters)
    return { outcome: 'refused', reason: `it must have at most ${maxCharacters} characters` }
  if (unprintable.test(trimmed)) return { outcome: 'refused', reason: 'it must not contain control characters' }
  return { outcome: 'accepted', name: trimmed }
}
