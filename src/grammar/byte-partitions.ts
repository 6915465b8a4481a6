import type { GrammarReader } from './compiled-grammar.ts'
import type { Waiting } from './stacks.ts'

/** Groups the 256 bytes by the edges that accept them, so that each group is evaluated once. */
export class BytePartitions {
  readonly #grammar: GrammarReader
  readonly #known = new Map<string, Uint8Array>()
  readonly #cuts = new Uint8Array(257)

  constructor(grammar: GrammarReader) {
    this.#grammar = grammar
  }

  /** The number of each byte's group, and how many groups there are. */
  find(waiting: readonly Waiting[]): { kinds: Uint8Array; count: number } {
    const places = this.#places(waiting)
    const key = String.fromCharCode(...places)
    const kinds = this.#known.get(key) ?? Uint8Array.from({ length: 256 }, (_, byte) => countUpTo(places, byte))
    this.#known.set(key, kinds)
    return { kinds, count: places.length + 1 }
  }

  forget(): void {
    this.#known.clear()
  }

  /** The bytes at which another group begins. */
  #places(waiting: readonly Waiting[]): number[] {
    const grammar = this.#grammar
    const cuts = this.#cuts
    cuts.fill(0)
    for (const { part } of waiting) {
      const edges = grammar.edgeCount(part)
      for (let edge = 0; edge < edges; edge += 1) {
        cuts[grammar.edgeLow(part, edge)] = 1
        cuts[grammar.edgeHigh(part, edge) + 1] = 1
      }
    }
    const places: number[] = []
    for (let byte = 1; byte < 256; byte += 1) if (cuts[byte] === 1) places.push(byte)
    return places
  }
}

const countUpTo = (places: number[], byte: number): number => places.filter((place) => place <= byte).length
