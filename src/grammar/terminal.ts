import type { ByteWriter } from './byte-writer.ts'
import { acceptsFlag, chainFlag, partKinds } from './compiled-grammar.ts'
import type { GrammarNode } from './grammar.ts'
import { type ByteRange, utf8Ranges } from './utf8-ranges.ts'

type Edge = { low: number; high: number; next: number }

/** A tree of states that read bytes. It begins at state 0; edges of one state may overlap. */
type Terminal = { edges: Edge[][]; accepts: boolean[] }

export type TerminalNode = Extract<GrammarNode, { type: 'text' | 'class' }>

/** Writes an automaton for all of the texts and characters, and returns the address of its first state. */
export const writeTerminal = (writer: ByteWriter, nodes: readonly TerminalNode[]): number => {
  const { edges, accepts } = buildTerminal(nodes)
  const address = writer.size()
  const pending: { state: number; link: number | null }[] = [{ state: 0, link: null }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.link !== null) writer.setWord(next.link, writer.size())
    // Single bytes that follow each other are written as a chain; the state at its end has several edges.
    for (let state: number | null = next.state; state !== null; ) {
      const outgoing: Edge[] = edges[state] ?? []
      const kind = partKinds.state | (accepts[state] ? acceptsFlag : 0)
      const [only] = outgoing
      if (outgoing.length === 1 && only !== undefined && only.low === only.high) {
        writer.byte(kind | chainFlag)
        writer.byte(only.low)
        state = only.next
        continue
      }
      writer.byte(kind)
      writer.short(outgoing.length)
      for (const { low, high, next: target } of outgoing) {
        writer.byte(low)
        writer.byte(high)
        pending.push({ state: target, link: writer.size() })
        writer.word(0)
      }
      state = null
    }
  }
  return address
}

const buildTerminal = (nodes: readonly TerminalNode[]): Terminal => {
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
  return { edges, accepts }
}
