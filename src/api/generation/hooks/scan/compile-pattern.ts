import type { GrammarNode } from '../../../../grammar/grammar.ts'
import { parsePattern } from '../../../../grammar/parse-pattern.ts'
import { PatternRefused } from '../../../../grammar/pattern-refused.ts'

/**
 * A pattern as an automaton without empty steps: its places are the characters of the pattern, and `follow` says which may come
 * after which. Reading a character takes at most as many steps as it has such pairs, whatever the text is.
 */
export type Automaton = {
  /** Of each place: the code points it accepts, both ends included. */
  ranges: readonly (readonly (readonly [number, number])[])[]
  first: readonly number[]
  follow: readonly (readonly number[])[]
  isLast: readonly boolean[]
  /** It begins where a word begins. */
  startsWord: boolean
}

const maxPlaces = 2000
const maxPairs = 20_000
const wordStart = '\\b'

type Part = { isEmpty: boolean; first: number[]; last: number[] }

/** Throws `PatternRefused`. Patterns are those of schemas, without anchors; `\b` is accepted at the beginning. */
export const compilePattern = (pattern: string): Automaton => {
  const startsWord = pattern.startsWith(wordStart)
  const options = parsePattern(startsWord ? pattern.slice(wordStart.length) : pattern)
  if (options.some(({ fromStart, toEnd }) => fromStart || toEnd)) throw new PatternRefused('anchors are not supported')
  const places: (readonly [number, number])[][] = []
  const follow: number[][] = []
  let pairs = 0

  const place = (ranges: (readonly [number, number])[]): Part => {
    if (places.length >= maxPlaces) throw new PatternRefused('it is too long')
    places.push(ranges)
    follow.push([])
    return { isEmpty: false, first: [places.length - 1], last: [places.length - 1] }
  }
  const link = (from: readonly number[], to: readonly number[]): void => {
    pairs += from.length * to.length
    if (pairs > maxPairs) throw new PatternRefused('it is too complex')
    for (const one of from) for (const other of to) follow[one]?.push(other)
  }
  const join = (parts: Iterable<Part>): Part => {
    let joined: Part = { isEmpty: true, first: [], last: [] }
    for (const part of parts) {
      link(joined.last, part.first)
      joined = {
        isEmpty: joined.isEmpty && part.isEmpty,
        first: joined.isEmpty ? [...joined.first, ...part.first] : joined.first,
        last: part.isEmpty ? [...joined.last, ...part.last] : part.last,
      }
    }
    return joined
  }
  const repeated = function* (of: GrammarNode, min: number, max: number | null): Generator<Part> {
    const copies = max ?? Math.max(min, 1)
    for (let copy = 0; copy < copies; copy += 1) {
      const part = build(of)
      if (max === null && copy === copies - 1) link(part.last, part.first)
      yield copy < min ? part : { ...part, isEmpty: true }
    }
  }
  const build = (node: GrammarNode): Part => {
    switch (node.type) {
      case 'text':
        return join(Array.from(node.text, (character) => place([exactly(character.codePointAt(0) ?? 0)])))
      case 'class':
        return place(node.ranges)
      case 'sequence':
        return join(node.of.map(build))
      case 'choice': {
        const parts = node.of.map(build)
        return {
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        }
      }
      case 'repeat':
        return join(repeated(node.of, node.min, node.max))
      case 'rule':
        throw new PatternRefused('it refers to a rule')
    }
  }
  const whole = build({ type: 'choice', of: options.map(({ node }) => node) })
  if (whole.isEmpty) throw new PatternRefused('it matches the empty text')
  const last = new Set(whole.last)
  const unique = follow.map((after) => [...new Set(after)])
  return { ranges: places, first: whole.first, follow: unique, isLast: places.map((_, at) => last.has(at)), startsWord }
}

const exactly = (point: number): readonly [number, number] => [point, point]
