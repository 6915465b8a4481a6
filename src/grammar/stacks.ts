import { countLimit } from './compile-grammar.ts'
import { type GrammarReader, partKinds } from './compiled-grammar.ts'

/**
 * The parts still to be read, innermost first. `position` is the next part of a sequence, or the number of rounds that a
 * repetition has begun; 0 for other parts. Equal stacks are one object.
 */
export type Stack = {
  readonly id: number
  /** Its address in the grammar; 0 at the bottom. */
  readonly part: number
  readonly position: number
  readonly rest: Stack | null
  above: Map<number, Stack> | null
  /** The last run of `unfold` that visited it. */
  mark: number
}

/** A stack whose innermost part waits for a byte. */
export type Waiting = Stack & { readonly rest: Stack }

/** All possible continuations: the stacks that wait for a byte, whether the text may end here, and the steps used. */
export type Frontier = { waiting: Waiting[]; complete: boolean; visited: number }

/**
 * A very ambiguous grammar (`(a{0,99}){0,99}`) would make a frontier grow without bound. Some of its parses are then
 * dropped: what is still allowed stays correct, and each remaining parse can be completed.
 */
const waitingLimit = 4_000

export class StackPool {
  readonly bottom: Stack
  readonly #grammar: GrammarReader
  #stacks: Stack[] = []
  #lastId = 0
  #lastMark = 0

  constructor(grammar: GrammarReader) {
    this.#grammar = grammar
    this.bottom = this.#create(0, 0, null)
  }

  get size(): number {
    return this.#stacks.length
  }

  push(part: number, position: number, rest: Stack): Stack {
    const key = part * countLimit + position
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
    const grammar = this.#grammar
    // The last one is visited first: of equal repetitions it should be the one with the fewest rounds.
    if (pending.length > 1) pending.sort((a, b) => b.position - a.position)
    this.#lastMark += 1
    const waiting: Waiting[] = []
    let fewestRounds: Map<number, Map<Stack, number>> | null = null
    let complete = false
    let visited = 0
    for (let stack = pending.pop(); stack !== undefined; stack = pending.pop()) {
      if (stack.mark === this.#lastMark) continue
      stack.mark = this.#lastMark
      visited += 1
      const { part, position, rest } = stack
      if (rest === null) {
        complete = true
        continue
      }
      switch (grammar.kindOf(part)) {
        case partKinds.state:
          if (grammar.accepts(part)) pending.push(rest)
          if (grammar.edgeCount(part) > 0 && waiting.length < waitingLimit) waiting.push(asWaiting(stack))
          break
        case partKinds.choice: {
          const options = grammar.partCount(part)
          for (let option = 0; option < options; option += 1)
            pending.push(this.push(grammar.partAt(part, option), 0, rest))
          break
        }
        case partKinds.sequence: {
          const length = grammar.partCount(part)
          // The last part needs no return, so tail-recursive rules do not grow the stack.
          const after = position + 1 < length ? this.push(part, position + 1, rest) : rest
          pending.push(position < length ? this.push(grammar.partAt(part, position), 0, after) : rest)
          break
        }
        case partKinds.repeat: {
          const [min, max] = [grammar.repeatMin(part), grammar.repeatMax(part)]
          if (position >= min && max !== null) {
            // Fewer rounds allow all that more rounds allow. This also ends rounds that read nothing and return here.
            fewestRounds ??= new Map()
            const fewest = fewestRounds.get(part) ?? new Map<Stack, number>()
            fewestRounds.set(part, fewest)
            if ((fewest.get(rest) ?? Number.POSITIVE_INFINITY) <= position) break
            fewest.set(rest, position)
          }
          if (position >= min) pending.push(rest)
          if (max !== null && position >= max) break
          const begun = max === null ? Math.min(position + 1, min) : position + 1
          const after = begun === max ? rest : this.push(part, begun, rest)
          pending.push(this.push(grammar.repeatedPart(part), 0, after))
          break
        }
      }
    }
    return { waiting, complete, visited }
  }

  #create(part: number, position: number, rest: Stack | null): Stack {
    this.#lastId += 1
    return { id: this.#lastId, part, position, rest, above: null, mark: 0 }
  }
}

/** Requires a stack whose part is a state; only the bottom has no rest. */
const asWaiting = (stack: Stack): Waiting => stack as Waiting
