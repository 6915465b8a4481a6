/**
 * English with accents, two fifths longer: a language that everyone can read and that is as long as the longest. A text
 * that stays without accents is written in a page instead of in `languages/`.
 */
export const pseudoWords = <Words>(words: Words): Words => translated(words) as Words

const translated = (words: unknown): unknown => {
  if (typeof words === 'string') return pseudoText(words)
  if (typeof words === 'function') return (...values: unknown[]) => pseudoSentence(words, values)
  if (Array.isArray(words)) return words.map(translated)
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, translated(value)]))
}

/** Values stay as they are: each text among them is one character while the sentence around it is translated. */
const pseudoSentence = (write: CallableFunction, values: readonly unknown[]): unknown => {
  const standIns = values.map((value, index) =>
    typeof value === 'string' && value !== '' ? String.fromCharCode(firstStandIn + index) : value,
  )
  const sentence: unknown = Reflect.apply(write, undefined, standIns)
  if (typeof sentence !== 'string') return sentence
  return pseudoText(sentence).replaceAll(standIn, (character) => String(values[character.charCodeAt(0) - firstStandIn]))
}

const firstStandIn = 0xe000
const standIn = /[\ue000-\ue0ff]/g

/** Code, marks of HTML and placeholders are no words. */
const kept = /(<code>.*?<\/code>|<[^>]*>|`[^`]*`|\{[^}]*\}|\S*[\d_@/=\\]\S*)/s
const word = /[A-Za-z]+/g

export const pseudoText = (text: string): string => {
  const pieces = text.split(kept)
  const isText = (_: string, index: number): boolean => index % 2 === 0
  const letters = pieces
    .filter(isText)
    .join('')
    .replaceAll(/[^A-Za-z]/g, '').length
  const growth = Math.ceil(text.length * 0.4) / Math.max(1, letters)
  return pieces
    .map((piece, index) =>
      isText(piece, index) ? piece.replaceAll(word, (each) => longer(each, Math.ceil(each.length * growth))) : piece,
    )
    .join('')
}

/** Its first vowel, or else its first letter, is drawn out. */
const longer = (text: string, count: number): string => {
  const at = Math.max(0, text.search(/[aeiou]/i))
  const letter = text.charAt(at).toLowerCase()
  return accented(`${text.slice(0, at + 1)}${letter.repeat(count)}${text.slice(at + 1)}`)
}

/** Letters that the site's typeface has. */
const accents = new Map(Object.entries({ a: 'á', c: 'ç', e: 'é', i: 'î', n: 'ñ', o: 'ö', u: 'ü', y: 'ý' }))
const capitalAccents = new Map([...accents].map(([letter, accent]) => [letter.toUpperCase(), accent.toUpperCase()]))

const accented = (text: string): string =>
  [...text].map((letter) => accents.get(letter) ?? capitalAccents.get(letter) ?? letter).join('')
