import { redacted } from '../../../../base/create-redactor.ts'
import { type CreateScanner, type Scanner, ScanTooLong } from './scanner.ts'

type Interval = { from: number; to: number }

/** One text, which may arrive in pieces: what is found is replaced, and what may be part of it is held back. */
export class Redaction {
  readonly #scanners: readonly Scanner[]
  #held: string[] = []
  /** The position of the first character that is held. */
  #base = 0
  /** In order, without overlaps. */
  #covered: Interval[] = []
  /** The last character that was passed on was covered. */
  #isCovering = false
  /** How many places were replaced. */
  count = 0
  /** The text takes too long: the rest of it is passed on as it is. */
  hasGivenUp = false

  constructor(scanners: readonly CreateScanner[]) {
    this.#scanners = scanners.map((create) => create())
  }

  /** Something is held back. */
  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** Returns what can be passed on. */
  push(text: string): string {
    for (const character of text) {
      const at = this.#base + this.#held.length
      this.#held.push(character)
      if (!this.hasGivenUp) this.#scan(character.codePointAt(0) ?? 0, at)
    }
    if (this.hasGivenUp) return this.#pass(Number.POSITIVE_INFINITY)
    return this.#pass(Math.min(...this.#scanners.map(({ pendingFrom }) => pendingFrom)))
  }

  /** The text has ended: returns the rest of it. */
  end(): string {
    for (const scanner of this.#scanners) scanner.end(this.#cover)
    return this.#pass(Number.POSITIVE_INFINITY)
  }

  #scan(point: number, at: number): void {
    try {
      for (const scanner of this.#scanners) scanner.push(point, at, this.#cover)
    } catch (error) {
      if (!(error instanceof ScanTooLong)) throw error
      this.hasGivenUp = true
    }
  }

  #pass(until: number): string {
    const count = Math.min(this.#held.length, until - this.#base)
    let passed = ''
    for (let index = 0; index < count; index += 1) {
      const isCovered = this.#isCovered(this.#base + index)
      if (!isCovered) passed += this.#held[index] ?? ''
      else if (!this.#isCovering) {
        passed += redacted
        this.count += 1
      }
      this.#isCovering = isCovered
    }
    this.#held = this.#held.slice(count)
    this.#base += count
    return passed
  }

  /** Asked for one position after the other. */
  #isCovered(at: number): boolean {
    while ((this.#covered[0]?.to ?? Number.POSITIVE_INFINITY) <= at) this.#covered.shift()
    return (this.#covered[0]?.from ?? Number.POSITIVE_INFINITY) <= at
  }

  readonly #cover = (from: number, to: number): void => {
    const joined = { from, to }
    const later: Interval[] = []
    for (let last = this.#covered.at(-1); last !== undefined && last.to >= joined.from; last = this.#covered.at(-1)) {
      this.#covered.pop()
      if (last.from > joined.to) later.unshift(last)
      else {
        joined.from = Math.min(joined.from, last.from)
        joined.to = Math.max(joined.to, last.to)
      }
    }
    this.#covered.push(joined, ...later)
  }
}
