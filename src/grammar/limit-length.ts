import type { GrammarNode } from './grammar.ts'

type LengthRange = { min: number; max: number }

/**
 * A grammar for some of the texts of `node` (which mentions no rules), all within these lengths in characters; null if
 * none is found. It narrows repetitions of characters and leaves everything else unchanged.
 */
export const limitLength = (node: GrammarNode, limits: LengthRange): GrammarNode | null => {
  const natural = lengthRange(node)
  if (natural.min >= limits.min && natural.max <= limits.max) return node
  if (natural.max < limits.min || natural.min > limits.max) return null
  if (node.type === 'choice') {
    const options = node.of.flatMap((option) => limitLength(option, limits) ?? [])
    return options.length === 0 ? null : { type: 'choice', of: options }
  }
  const parts = node.type === 'sequence' ? node.of : [node]
  const shorter = shorten(parts, limits.max)
  return shorter === null ? null : lengthen(shorter, limits.min)
}

/** Divides the remaining length evenly among the repetitions. */
const shorten = (parts: GrammarNode[], max: number): GrammarNode[] | null => {
  const isElastic = (part: GrammarNode): boolean => part.type === 'repeat' && fixedWidth(part.of) !== null
  const fixed = parts.filter((part) => !isElastic(part)).reduce((sum, part) => sum + lengthRange(part).max, 0)
  const elastic = parts.filter(isElastic)
  const room = max - fixed - elastic.reduce((sum, part) => sum + lengthRange(part).min, 0)
  if (room < 0 || Number.isNaN(room)) return null
  return parts.map((part) => {
    if (part.type !== 'repeat') return part
    const width = fixedWidth(part.of)
    if (width === null || room === Number.POSITIVE_INFINITY) return part
    const rounds = part.min + Math.floor(room / elastic.length / width)
    return { ...part, max: Math.min(part.max ?? rounds, rounds) }
  })
}

const lengthen = (parts: GrammarNode[], min: number): GrammarNode | null => {
  let missing = min - parts.reduce((sum, part) => sum + lengthRange(part).min, 0)
  const longer = parts.map((part) => {
    const width = part.type === 'repeat' ? fixedWidth(part.of) : null
    if (missing <= 0 || part.type !== 'repeat' || width === null) return part
    const rounds = Math.min(part.max ?? Number.POSITIVE_INFINITY, part.min + Math.ceil(missing / width))
    missing -= (rounds - part.min) * width
    return { ...part, min: rounds }
  })
  return missing > 0 ? null : { type: 'sequence', of: longer }
}

/** The length in characters of every text of a node, if all have the same length. */
const fixedWidth = (node: GrammarNode): number | null => {
  const { min, max } = lengthRange(node)
  return min === max && min > 0 ? min : null
}

/** Cached, because each level above a node asks for its length again. Nodes never change. */
const ranges = new WeakMap<GrammarNode, LengthRange>()

const lengthRange = (node: GrammarNode): LengthRange => {
  const known = ranges.get(node) ?? findRange(node)
  ranges.set(node, known)
  return known
}

const findRange = (node: GrammarNode): LengthRange => {
  switch (node.type) {
    case 'text': {
      const length = Array.from(node.text).length
      return { min: length, max: length }
    }
    case 'class':
      return { min: 1, max: 1 }
    case 'sequence': {
      const parts = node.of.map(lengthRange)
      return {
        min: parts.reduce((sum, range) => sum + range.min, 0),
        max: parts.reduce((sum, range) => sum + range.max, 0),
      }
    }
    case 'choice': {
      const options = node.of.map(lengthRange)
      return {
        min: options.reduce((least, range) => Math.min(least, range.min), Number.POSITIVE_INFINITY),
        max: options.reduce((largest, range) => Math.max(largest, range.max), 0),
      }
    }
    case 'repeat': {
      const { min, max } = lengthRange(node.of)
      const rounds = node.max ?? Number.POSITIVE_INFINITY
      return { min: min * node.min, max: max === 0 || rounds === 0 ? 0 : max * rounds }
    }
    case 'rule':
      return { min: 0, max: Number.POSITIVE_INFINITY }
  }
}
