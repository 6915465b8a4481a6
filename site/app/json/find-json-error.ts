/** What is wrong at a place of a JSON text; the page words it. */
export type JsonProblem =
  | 'value'
  | 'name'
  | 'colon'
  | 'comma_or_brace'
  | 'comma_or_bracket'
  | 'trailing_comma'
  | 'string'
  | 'escape'
  | 'end'
  | 'extra'

/** Lines and columns count from 1. */
export type JsonError = { problem: JsonProblem; offset: number; line: number; column: number }

type Expected = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma' | 'nothing'

const wholeEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const space = /[ \t\n\r]*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Where a text stops being JSON; null if it is JSON. Browsers say this each in their own words, in English, and not always
 * where. It has no recursion, so that deep nesting does no harm.
 */
export const findJsonError = (text: string): JsonError | null => {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let hadComma = false
  let at = skip(space, text, 0)
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'comma')
  for (;;) {
    const here = text[at]
    if (here === undefined) return expected === 'nothing' ? null : errorAt(text, at, 'end')
    const isClosing = closes(here, open.at(-1)) && (expected === 'comma' || expected.endsWith('_or_end'))
    let end = at + 1
    if (isClosing) {
      open.pop()
      expected = after()
    } else if (expected === 'comma' && here === ',') {
      expected = open.at(-1) === '{' ? 'name' : 'value'
      hadComma = true
    } else if (expected === 'colon' && here === ':') expected = 'value'
    else if (expected.startsWith('name') && here === '"') {
      const read = readString(text, at)
      if (typeof read !== 'number') return read
      end = read
      expected = 'colon'
    } else if (expected.startsWith('value')) {
      if (here === '{' || here === '[') {
        open.push(here)
        expected = here === '{' ? 'name_or_end' : 'value_or_end'
      } else {
        const read = here === '"' ? readString(text, at) : skip(scalar, text, at)
        if (typeof read !== 'number') return read
        end = read
        if (end === at) return errorAt(text, at, describeProblem(expected, here, open.at(-1), hadComma))
        expected = after()
      }
    } else return errorAt(text, at, describeProblem(expected, here, open.at(-1), hadComma))
    if (here !== ',') hadComma = false
    at = skip(space, text, end)
  }
}

const closes = (here: string, open: string | undefined): boolean =>
  (here === '}' && open === '{') || (here === ']' && open === '[')

const describeProblem = (
  expected: Expected,
  here: string,
  open: string | undefined,
  hadComma: boolean,
): Exclude<JsonProblem, 'string' | 'escape' | 'end'> => {
  if (hadComma && closes(here, open)) return 'trailing_comma'
  if (expected === 'nothing') return 'extra'
  if (expected === 'comma') return open === '{' ? 'comma_or_brace' : 'comma_or_bracket'
  if (expected === 'colon') return 'colon'
  return expected.startsWith('name') ? 'name' : 'value'
}

/** Where a match that begins here ends; the same place if nothing matches. */
const skip = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Where a string ends; or the first character that it cannot contain. By hand: a pattern could backtrack for ever. */
const readString = (text: string, from: number): number | JsonError => {
  let at = from + 1
  while (at < text.length) {
    if (text[at] === '"') return at + 1
    if (text.charCodeAt(at) < 0x20) return errorAt(text, at, 'string')
    if (text[at] !== '\\') at += 1
    else {
      const end = skip(wholeEscape, text, at)
      if (end === at) return errorAt(text, at, 'escape')
      at = end
    }
  }
  return errorAt(text, text.length, 'end')
}

const errorAt = (text: string, offset: number, problem: JsonProblem): JsonError => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { problem, offset, line: before.split('\n').length, column: offset - lineStart + 1 }
}
