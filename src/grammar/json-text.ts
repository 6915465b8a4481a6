import { charClass, chars, choice, empty, type GrammarNode, optional, repeat, rule, sequence, text } from './grammar.ts'

const hex = chars('0-9a-fA-F')
const quote = 0x22
const backslash = 0x5c

/** The characters that need no escape in a JSON string. */
export const plainRanges: [number, number][] = [
  [0x20, quote - 1],
  [quote + 1, backslash - 1],
  [backslash + 1, 0x10ffff],
]

/** One character of a JSON string in any spelling. A pair of surrogate escapes counts as one character. */
const character = choice(
  charClass(...plainRanges),
  sequence(
    text('\\'),
    choice(
      chars('"\\/bfnrt'),
      sequence(text('u'), chars('0-9a-cefA-CEF'), repeat(hex, 3, 3)),
      sequence(text('u'), chars('dD'), chars('0-7'), repeat(hex, 2, 2)),
      sequence(
        ...[text('u'), chars('dD'), chars('89abAB'), repeat(hex, 2, 2)],
        ...[text('\\u'), chars('dD'), chars('c-fC-F'), repeat(hex, 2, 2)],
      ),
    ),
  ),
)

/** Always bounded, so a confused model cannot fill the answer with blanks. */
const whitespace = choice(empty, text(' '), sequence(text('\n'), repeat(text(' '), 0, 20)))

const digits = sequence(chars('1-9'), repeat(chars('0-9'), 0, 15))
/** Few enough digits that no number overflows a double. */
const number = sequence(
  optional(text('-')),
  choice(text('0'), digits),
  optional(sequence(text('.'), repeat(chars('0-9'), 1, 16))),
  optional(sequence(chars('eE'), optional(chars('+-')), repeat(chars('0-9'), 1, 2))),
)

export const blank = rule('blank')
export const comma = sequence(text(','), blank)
export const anyString = rule('string')
export const anyNumber = rule('number')
export const anyValue = rule('value')
const anyObject = rule('object')
const anyArray = rule('array')

export const quoted = (inside: GrammarNode): GrammarNode => sequence(text('"'), inside, text('"'))
export const entry = (key: GrammarNode, value: GrammarNode): GrammarNode => sequence(key, text(':'), blank, value)

/** The content of brackets: nothing, or items separated by commas. `max` counts all items. */
export const listOf = (item: GrammarNode, min: number, max: number | null): GrammarNode => {
  const some = sequence(item, repeat(sequence(comma, item), Math.max(min - 1, 0), max === null ? null : max - 1), blank)
  if (max === 0) return min === 0 ? empty : choice()
  return min === 0 ? choice(empty, some) : some
}

/** The rules of JSON itself, which every grammar of JSON texts includes. */
export const jsonRules: Record<string, GrammarNode> = {
  blank: whitespace,
  character,
  string: quoted(repeat(rule('character'))),
  number,
  value: choice(anyObject, anyArray, anyString, anyNumber, text('true'), text('false'), text('null')),
  object: sequence(text('{'), blank, listOf(entry(anyString, anyValue), 0, null), text('}')),
  array: sequence(text('['), blank, listOf(anyValue, 0, null), text(']')),
}
