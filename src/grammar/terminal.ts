import type { GrammarNode } from './grammar.ts'
import { type ByteRange, utf8Ranges } from './utf8-ranges.ts'

type Edge = { low: number; high: number; next: number }

/** An acyclic automaton over bytes. It begins at position 0; edges of one position may overlap. */
export type Terminal = { kind: 'terminal'; id: number; edges: Edge[][]; accepts: boolean[] }

type SimpleNode = Extract<GrammarNode, { type: 'text' | 'class' }>

export const buildTerminal = (id: number, nodes: SimpleNode[]): Terminal => {
  const edges: Edge[][] = [[]]
  const accepts = [false]
  const known = new Map<number, number>()
  const follow = (from: number, [low, high]: ByteRange): number => {
    const key = (from * 256 + low) * 256 + high
    const there = known.get(key)
    if (there !== undefined) return there
    const next = accepts.push(false) - 1
    edges.push([])
    edges[from]?.push({ low, high, next })
    known.set(key, next)
    return next
  }
  for (const node of nodes) {
    if (node.type === 'class') for (const row of utf8Ranges(node.ranges)) accepts[row.reduce(follow, 0)] = true
    else accepts[Buffer.from(node.text).reduce((from, byte) => follow(from, [byte, byte]), 0)] = true
  }
  return { kind: 'terminal', id, edges, accepts }
}
