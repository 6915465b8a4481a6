import { BytePartitions } from './byte-partitions.ts'
import { compileGrammar } from './compile-grammar.ts'
import { type CompiledGrammar, readGrammar } from './compiled-grammar.ts'
import type { Grammar } from './grammar.ts'
import { type Stack, StackPool, type Waiting } from './stacks.ts'

/**
 * A position in a text that a grammar allows. Opaque: only its matcher reads it. It is immutable, so it may be stored,
 * shared between texts, and compared by identity as a hint.
 */
export type MatchState = {
  readonly waiting: readonly Waiting[]
  readonly complete: boolean
  /** Bytes that lead to the same state share a number, an index into `targets`. */
  readonly kinds: Uint8Array
  readonly targets: (MatchState | null | undefined)[]
}

export interface Matcher {
  readonly start: MatchState
  /** The state after these bytes, or null if they are not allowed. They may end within a character. */
  advance(state: MatchState, bytes: Uint8Array): MatchState | null
  allowsByte(state: MatchState, byte: number): boolean
  /** Whether the text is complete here. */
  mayEnd(state: MatchState): boolean
  /** Whether the text is complete and nothing can follow. */
  mustEnd(state: MatchState): boolean
}

export type MatcherLimits = {
  /** Maximum cached states or transitions; beyond it the cache is cleared and rebuilt on demand. */
  maxStates?: number
  maxStacks?: number
  /** Counts steps; throws if there are too many. */
  onWork?: (steps: number) => void
}

/** Throws `GrammarRefused` for a grammar that cannot be compiled. A compiled one must not be modified afterwards. */
export const createMatcher = (
  grammar: Grammar | CompiledGrammar,
  { maxStates = 20_000, maxStacks = 200_000, onWork }: MatcherLimits = {},
): Matcher => {
  const compiled = readGrammar(grammar instanceof Uint8Array ? grammar : compileGrammar(grammar))
  const pool = new StackPool(compiled)
  const states = new Map<string, MatchState>()
  const partitions = new BytePartitions(compiled)

  const intern = (pending: Stack[]): MatchState | null => {
    const { waiting, complete, visited } = pool.unfold(pending)
    onWork?.(visited)
    if (waiting.length === 0 && !complete) return null
    waiting.sort((a, b) => a.id - b.id)
    const key = `${complete ? '.' : ''}${waiting.map(({ id }) => id).join(',')}`
    const known = states.get(key)
    if (known !== undefined) return known
    const { kinds, count } = partitions.find(waiting)
    const state: MatchState = { waiting, complete, kinds, targets: new Array(count).fill(undefined) }
    states.set(key, state)
    return state
  }

  const forget = (): void => {
    // A reference to an old state must not keep all others alive.
    for (const state of states.values()) state.targets.fill(undefined)
    states.clear()
    partitions.forget()
    pool.forget()
  }

  const step = (state: MatchState, byte: number): MatchState | null => {
    if (states.size >= maxStates || pool.size >= maxStacks) forget()
    const pending: Stack[] = []
    for (const { part, rest } of state.waiting) {
      const edges = compiled.edgeCount(part)
      for (let edge = 0; edge < edges; edge += 1) {
        if (byte < compiled.edgeLow(part, edge) || byte > compiled.edgeHigh(part, edge)) continue
        const next = compiled.edgeTarget(part, edge)
        pending.push(compiled.edgeCount(next) === 0 ? rest : pool.push(next, 0, rest))
      }
    }
    const target = pending.length === 0 ? null : intern(pending)
    state.targets[state.kinds[byte] ?? 0] = target
    return target
  }

  const start = intern([pool.push(compiled.root, 0, pool.bottom)])
  if (start === null) throw new Error('a trimmed grammar has a beginning')

  const advance = (state: MatchState, bytes: Uint8Array): MatchState | null => {
    let here: MatchState | null = state
    for (let index = 0; index < bytes.length && here !== null; index += 1) {
      const byte = bytes[index] ?? 0
      const target: MatchState | null | undefined = here.targets[here.kinds[byte] ?? 0]
      here = target === undefined ? step(here, byte) : target
    }
    return here
  }

  const allowsByte = (state: MatchState, byte: number): boolean => {
    const target = state.targets[state.kinds[byte] ?? 0]
    return (target === undefined ? step(state, byte) : target) !== null
  }

  return {
    start,
    advance,
    allowsByte,
    mayEnd: (state) => state.complete,
    mustEnd: (state) => state.complete && state.waiting.length === 0,
  }
}
