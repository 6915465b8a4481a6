import { type CodePointRange, invertRanges } from './code-points.ts'
import { countLimit } from './compile-grammar.ts'
import { choice, type GrammarNode, sequence, text } from './grammar.ts'
import { type Cursor, createCursor, lineEnds, readEscape } from './pattern-escape.ts'
import { PatternRefused } from './pattern-refused.ts'

/** One alternative of a pattern, and whether it is anchored at the start and the end of the text. */
export type PatternOption = { node: GrammarNode; fromStart: boolean; toEnd: boolean }

const maxPatternLength = 10_000
const maxGroupDepth = 60

/** Parses a pattern like ECMAScript's `u` flag; also accepts Python's variants (`(?P<name>…)`, `\-`). */
export const parsePattern = (pattern: string): PatternOption[] => {
  if (pattern.length > maxPatternLength) throw new PatternRefused(`it is longer than ${maxPatternLength} characters`)
  const cursor = createCursor(pattern)
  const options = readOptions(cursor, 0)
  if (cursor.peek() !== undefined) throw new PatternRefused('it closes a group that was not opened')
  return options
}

const readOptions = (cursor: Cursor, depth: number): PatternOption[] => {
  const options = [readOption(cursor, depth)]
  while (cursor.take('|')) options.push(readOption(cursor, depth))
  return options
}

const readOption = (cursor: Cursor, depth: number): PatternOption => {
  const items: GrammarNode[] = []
  const fromStart = depth === 0 && cursor.take('^')
  let toEnd = false
  for (let next = cursor.peek(); next !== undefined && next !== '|' && next !== ')'; next = cursor.peek()) {
    if (next === '^' || next === '$') {
      cursor.take(next)
      const following = cursor.peek()
      if (next === '^' || depth > 0 || (following !== undefined && following !== '|'))
        throw new PatternRefused(`an anchor (${next}) is only supported at the ends of the pattern`)
      toEnd = true
    } else items.push(readQuantifier(cursor, readItem(cursor, depth)))
  }
  return { node: joinTexts(items), fromStart, toEnd }
}

const readItem = (cursor: Cursor, depth: number): GrammarNode => {
  const character = cursor.next()
  switch (character) {
    case '(':
      return readGroup(cursor, depth + 1)
    case '[':
      return { type: 'class', ranges: readClass(cursor) }
    case '.':
      return { type: 'class', ranges: invertRanges(lineEnds) }
    case '\\':
      return asNode(readEscape(cursor, false))
    case '*':
    case '+':
    case '?':
      throw new PatternRefused(`there is nothing to repeat before '${character}'`)
    case '{':
      if (cursor.takeMatch(/\d*,?\d*\}/y) !== null) throw new PatternRefused("there is nothing to repeat before '{'")
      return text('{')
    default:
      return text(character)
  }
}

const readGroup = (cursor: Cursor, depth: number): GrammarNode => {
  if (depth > maxGroupDepth) throw new PatternRefused(`groups are nested more than ${maxGroupDepth} levels deep`)
  if (cursor.takeMatch(/\?<?[=!]/y) !== null) throw new PatternRefused('lookahead and lookbehind are not supported')
  if (cursor.takeMatch(/\?P=/y) !== null) throw new PatternRefused('backreferences are not supported')
  if (cursor.peek() === '?' && cursor.takeMatch(/\?(?::|P?<[\p{L}_$][\p{L}\p{N}_$]*>)/uy) === null)
    throw new PatternRefused('flags and special groups are not supported')
  const options = readOptions(cursor, depth)
  if (!cursor.take(')')) throw new PatternRefused('a group is not closed')
  return options.length === 1 && options[0] !== undefined ? options[0].node : choice(...options.map(({ node }) => node))
}

const readQuantifier = (cursor: Cursor, of: GrammarNode): GrammarNode => {
  const bounds = readBounds(cursor)
  if (bounds === null) return of
  // Laziness does not change which texts match.
  cursor.take('?')
  if (cursor.peek() === '+' || cursor.peek() === '*') throw new PatternRefused('a quantifier follows a quantifier')
  return { type: 'repeat', of, ...bounds }
}

const readBounds = (cursor: Cursor): { min: number; max: number | null } | null => {
  if (cursor.take('*')) return { min: 0, max: null }
  if (cursor.take('+')) return { min: 1, max: null }
  if (cursor.take('?')) return { min: 0, max: 1 }
  const found = cursor.takeMatch(/\{(\d+)(?:(,)(\d*))?\}/y)
  if (found === null) {
    if (cursor.takeMatch(/\{,\d+\}/y) !== null) throw new PatternRefused('write {0,n} instead of {,n}')
    return null
  }
  const min = Number(found[1])
  const max = found[2] === undefined ? min : found[3] === '' ? null : Number(found[3])
  if (min >= countLimit || (max ?? 0) >= countLimit) throw new PatternRefused('a quantifier is too large')
  if (max !== null && min > max) throw new PatternRefused('a quantifier has a minimum above its maximum')
  return { min, max }
}

const readClass = (cursor: Cursor): CodePointRange[] => {
  const inverted = cursor.take('^')
  const ranges: CodePointRange[] = []
  while (!cursor.take(']')) {
    const low = readClassItem(cursor)
    if (cursor.peek() !== '-' || cursor.peek(1) === ']' || cursor.peek(1) === undefined) {
      ranges.push(...(typeof low === 'number' ? [[low, low] satisfies CodePointRange] : low))
      continue
    }
    cursor.take('-')
    const high = readClassItem(cursor)
    if (typeof low !== 'number' || typeof high !== 'number')
      throw new PatternRefused('a character class has an incomplete range')
    if (low > high) throw new PatternRefused('a character class has a range out of order')
    ranges.push([low, high])
  }
  return inverted ? invertRanges(ranges) : ranges
}

const readClassItem = (cursor: Cursor): number | CodePointRange[] => {
  if (cursor.peek() === undefined) throw new PatternRefused('a character class is not closed')
  const character = cursor.next()
  return character === '\\' ? readEscape(cursor, true) : (character.codePointAt(0) ?? 0)
}

const asNode = (found: number | CodePointRange[]): GrammarNode => {
  if (typeof found !== 'number') return { type: 'class', ranges: found }
  // A lone surrogate is not a character, so a class of only surrogates matches nothing.
  return found >= 0xd800 && found <= 0xdfff
    ? { type: 'class', ranges: [] }
    : { type: 'text', text: String.fromCodePoint(found) }
}

const joinTexts = (items: GrammarNode[]): GrammarNode => {
  const joined: GrammarNode[] = []
  for (const item of items) {
    const last = joined.at(-1)
    if (item.type === 'text' && last?.type === 'text') joined.splice(-1, 1, text(last.text + item.text))
    else joined.push(item)
  }
  return joined.length === 1 && joined[0] !== undefined ? joined[0] : sequence(...joined)
}
