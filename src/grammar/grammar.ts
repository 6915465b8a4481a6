/**
 * The set of allowed texts, as plain data that can be sent between processes as JSON. This module compiles JSON
 * schemas, patterns and lists of choices into grammars, and matches a grammar byte by byte. It may import `base` only,
 * and every function in it is pure.
 */
export type GrammarNode =
  | { type: 'text'; text: string }
  /** One character; the ranges are code points, both ends included. */
  | { type: 'class'; ranges: [number, number][] }
  | { type: 'sequence'; of: GrammarNode[] }
  | { type: 'choice'; of: GrammarNode[] }
  | { type: 'repeat'; of: GrammarNode; min: number; max: number | null }
  | { type: 'rule'; name: string }

export type Grammar = { root: string; rules: Record<string, GrammarNode> }

export const text = (value: string): GrammarNode => ({ type: 'text', text: value })
export const charClass = (...ranges: [number, number][]): GrammarNode => ({ type: 'class', ranges })
export const sequence = (...of: GrammarNode[]): GrammarNode => ({ type: 'sequence', of })
export const choice = (...of: GrammarNode[]): GrammarNode => ({ type: 'choice', of })
export const repeat = (of: GrammarNode, min = 0, max: number | null = null): GrammarNode => ({
  type: 'repeat',
  of,
  min,
  max,
})
export const optional = (of: GrammarNode): GrammarNode => repeat(of, 0, 1)
export const rule = (name: string): GrammarNode => ({ type: 'rule', name })

/** Matches nothing, not even the empty text. */
export const nothing: GrammarNode = { type: 'choice', of: [] }
export const empty: GrammarNode = { type: 'text', text: '' }

/** The characters and ranges of `spec`, such as `a-z0-9_`; a minus at the end is literal. */
export const chars = (spec: string): GrammarNode => {
  const points = Array.from(spec, (character) => character.codePointAt(0) ?? 0)
  const ranges: [number, number][] = []
  for (let index = 0; index < points.length; index += 1) {
    const low = points[index] ?? 0
    const high = points[index + 1] === 0x2d ? points[index + 2] : undefined
    ranges.push([low, high ?? low])
    if (high !== undefined) index += 2
  }
  return { type: 'class', ranges }
}

/** A grammar that no matcher can follow. */
export class GrammarRefused extends Error {}
