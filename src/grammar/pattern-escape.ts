import { type CodePointRange, invertRanges } from './code-points.ts'
import { PatternRefused } from './pattern-refused.ts'

/** A cursor in a pattern that advances as it is read. */
export type Cursor = {
  /** The character at the cursor, or at an offset from it. */
  peek(ahead?: number): string | undefined
  next(): string
  take(character: string): boolean
  /** Reads the match of a sticky expression at the cursor. */
  takeMatch(expression: RegExp): RegExpExecArray | null
}

export const createCursor = (pattern: string): Cursor => {
  let at = 0
  const peek = (ahead = 0): string | undefined => {
    const point = pattern.codePointAt(at + ahead)
    return point === undefined ? undefined : String.fromCodePoint(point)
  }
  const next = (): string => {
    const character = peek()
    if (character === undefined) throw new PatternRefused('it ends unexpectedly')
    at += character.length
    return character
  }
  return {
    peek,
    next,
    take: (character) => {
      if (peek() !== character) return false
      at += character.length
      return true
    },
    takeMatch: (expression) => {
      expression.lastIndex = at
      const found = expression.exec(pattern)
      if (found !== null) at += found[0].length
      return found
    },
  }
}

const digits: CodePointRange[] = [[0x30, 0x39]]
const wordCharacters: CodePointRange[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
export const lineEnds: CodePointRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
const spaces: CodePointRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

const sets = new Map<string, CodePointRange[]>([
  ['d', digits],
  ['D', invertRanges(digits)],
  ['w', wordCharacters],
  ['W', invertRanges(wordCharacters)],
  ['s', spaces],
  ['S', invertRanges(spaces)],
])
const controls = new Map([
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['f', 0x0c],
])

/** The meaning of an escape after the backslash: one character, or a set of them. */
export const readEscape = (cursor: Cursor, inClass: boolean): number | CodePointRange[] => {
  const hex = cursor.takeMatch(/x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}/iy)
  if (hex !== null) return checkPoint(Number.parseInt(hex[1] ?? hex[2] ?? '', 16))
  const unit = cursor.takeMatch(/u([0-9a-f]{4})/iy)
  if (unit !== null) return readPair(cursor, Number.parseInt(unit[1] ?? '', 16))
  const control = cursor.takeMatch(/c([a-z])/iy)
  if (control !== null) return (control[1] ?? '').charCodeAt(0) % 32
  if (cursor.takeMatch(/0(?!\d)/y) !== null) return 0

  const letter = cursor.next()
  const known = sets.get(letter) ?? controls.get(letter)
  if (known !== undefined) return known
  if (letter === 'b' && inClass) return 0x08
  if (/[bB]/.test(letter)) throw new PatternRefused('word boundaries are not supported')
  if (/[1-9k]/.test(letter) && !inClass) throw new PatternRefused('backreferences are not supported')
  if (/[pP]/.test(letter)) throw new PatternRefused('Unicode property escapes are not supported')
  if (/[AZz]/.test(letter)) throw new PatternRefused(`the anchor \\${letter} is not supported, use ^ and $`)
  if (/[\p{L}\p{N}_]/u.test(letter)) throw new PatternRefused(`the escape \\${letter} is not supported`)
  return letter.codePointAt(0) ?? 0
}

const checkPoint = (point: number): number => {
  if (point > 0x10ffff) throw new PatternRefused('an escape refers to a character that does not exist')
  return point
}

/** A character beyond U+FFFF may be written as two escapes. */
const readPair = (cursor: Cursor, high: number): number => {
  if (high < 0xd800 || high > 0xdbff) return high
  const low = cursor.takeMatch(/\\u(d[c-f][0-9a-f]{2})/iy)
  return low === null ? high : (high - 0xd800) * 0x400 + Number.parseInt(low[1] ?? '', 16) - 0xdc00 + 0x10000
}
