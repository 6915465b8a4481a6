import { type CompiledGrammar, countLimit, type Part } from './compile-grammar.ts'
import type { Terminal } from './terminal.ts'

/**
 * The parts still to be read, innermost first. `position` is the position in a terminal, the next part of a sequence,
 * or the number of rounds that a repetition has begun. Equal stacks are one object.
 */
export type Stack = {
  readonly id: number
  readonly part: Part | null
  readonly position: number
  readonly rest: Stack | null
  above: Map<number, Stack> | null
  /** The last run of `unfold` that visited it. */
  mark: number
}

/** A stack whose innermost part waits for a byte. */
export type Waiting = Stack & { readonly part: Terminal; readonly rest: Stack }

/** All possible continuations: the stacks that wait for a byte, whether the text may end here, and the steps used. */
export type Frontier = { waiting: Waiting[]; complete: boolean; visited: number }

/**
 * A very ambiguous grammar (`(a{0,99}){0,99}`) would make a frontier grow without bound. Some of its parses are then
 * dropped: what is still allowed stays correct, and each remaining parse can be completed.
 */
const waitingLimit = 4_000

export class StackPool {
  readonly bottom: Stack
  readonly #grammar: CompiledGrammar
  #stacks: Stack[] = []
  #lastId = 0
  #lastMark = 0

  constructor(grammar: CompiledGrammar) {
    this.#grammar = grammar
    this.bottom = this.#create(null, 0, null)
  }

  get size(): number {
    return this.#stacks.length
  }

  push(part: Part, position: number, rest: Stack): Stack {
    const key = part.id * countLimit + position
    rest.above ??= new Map()
    const known = rest.above.get(key)
    if (known !== undefined) return known
    const stack = this.#create(part, position, rest)
    rest.above.set(key, stack)
    this.#stacks.push(stack)
    return stack
  }

  /** Releases every stack that is not referenced elsewhere. Referenced ones stay valid, but are no longer unique. */
  forget(): void {
    for (const stack of this.#stacks) stack.above = null
    this.bottom.above = null
    this.#stacks = []
  }

  /** Follows rules, sequences, choices and repetitions until only bytes are left to read. */
  unfold(pending: Stack[]): Frontier {
    // The last one is visited first: of equal repetitions it should be the one with the fewest rounds.
    if (pending.length > 1) pending.sort((a, b) => b.position - a.position)
    this.#lastMark += 1
    const waiting: Waiting[] = []
    let fewestRounds: Map<Part, Map<Stack, number>> | null = null
    let complete = false
    let visited = 0
    for (let stack = pending.pop(); stack !== undefined; stack = pending.pop()) {
      if (stack.mark === this.#lastMark) continue
      stack.mark = this.#lastMark
      visited += 1
      const { part, position, rest } = stack
      if (part === null || rest === null) {
        complete = true
        continue
      }
      switch (part.kind) {
        case 'terminal':
          if (part.accepts[position] === true) pending.push(rest)
          if ((part.edges[position]?.length ?? 0) > 0 && waiting.length < waitingLimit) waiting.push(asWaiting(stack))
          break
        case 'rule': {
          const target = this.#grammar.rules.get(part.name)
          if (target !== undefined) pending.push(this.push(target, 0, rest))
          break
        }
        case 'choice':
          for (const option of part.parts) pending.push(this.push(option, 0, rest))
          break
        case 'sequence': {
          const next = part.parts[position]
          // The last part needs no return, so tail-recursive rules do not grow the stack.
          const after = position + 1 < part.parts.length ? this.push(part, position + 1, rest) : rest
          pending.push(next === undefined ? rest : this.push(next, 0, after))
          break
        }
        case 'repeat': {
          if (position >= part.min && part.max !== null) {
            // Fewer rounds allow all that more rounds allow. This also ends rounds that read nothing and return here.
            fewestRounds ??= new Map()
            const fewest = fewestRounds.get(part) ?? new Map<Stack, number>()
            fewestRounds.set(part, fewest)
            if ((fewest.get(rest) ?? Number.POSITIVE_INFINITY) <= position) break
            fewest.set(rest, position)
          }
          if (position >= part.min) pending.push(rest)
          if (part.max !== null && position >= part.max) break
          const begun = part.max === null ? Math.min(position + 1, part.min) : position + 1
          pending.push(this.push(part.part, 0, begun === part.max ? rest : this.push(part, begun, rest)))
          break
        }
      }
    }
    return { waiting, complete, visited }
  }

  #create(part: Part | null, position: number, rest: Stack | null): Stack {
    this.#lastId += 1
    return { id: this.#lastId, part, position, rest, above: null, mark: 0 }
  }
}

/** Requires a stack whose part is a terminal; only the bottom has no rest. */
const asWaiting = (stack: Stack): Waiting => stack as Waiting
