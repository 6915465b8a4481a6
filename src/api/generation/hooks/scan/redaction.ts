import { redacted } from '../../../../base/create-redactor.ts'
import {
  type EscapeState,
  hasEscapeEnded,
  isDigitOfEscape,
  isLetterOfEscape,
  nextEscape,
  outsideEscape,
} from './escapes.ts'
import { lengthOf, type Scanner } from './scanner.ts'
import type { ScannerSet } from './scanner-set.ts'
import { createStringTracker, type StringTracker } from './string-tracker.ts'

type Interval = { from: number; to: number }

/** What may be spent on texts. Several share one. */
export type ScanBudget = { steps: number }

/** A second of work at most. */
const usualSteps = 50_000_000
/** Passing over a character that begins nothing takes little. */
const skippedPerStep = 4
/** What scanners see of escapes: a character for its digits, one of a word before its letter, and one of no word after it. */
const [escaped, wordPoint, noWordPoint] = [0xfffd, 0x5f, 0x20]

export const newScanBudget = (steps = usualSteps): ScanBudget => ({ steps })

type RedactionOptions = {
  budget?: ScanBudget
  /** The text may be JSON, and stays JSON: what is replaced outside of its strings becomes a string. */
  isJson?: boolean
}

/** One text, which may arrive in pieces: what is found is replaced, and what may be part of it is held back. */
export class Redaction {
  readonly #set: ScannerSet
  readonly #budget: ScanBudget
  readonly #scanners: readonly Scanner[]
  #held = ''
  /** The position at which what is held begins. */
  #base = 0
  #before = -1
  #escape: EscapeState = outsideEscape
  readonly #strings: StringTracker | null
  /** In order, without overlaps. */
  #covered: Interval[] = []
  /** The last character that was passed on was covered. */
  #isCovering = false
  /** How many places were replaced. */
  count = 0
  /** The text takes too long: the rest of it is passed on as it is. */
  hasGivenUp = false

  constructor(set: ScannerSet, { budget = newScanBudget(), isJson = false }: RedactionOptions = {}) {
    this.#set = set
    this.#budget = budget
    this.#strings = isJson ? createStringTracker() : null
    this.#scanners = set.create()
  }

  /** Something is held back. */
  get isHolding(): boolean {
    return this.#held !== ''
  }

  /** Returns what can be passed on. */
  push(text: string): string {
    return this.read(text, 0, Number.POSITIVE_INFINITY).passed
  }

  /** Reads on from a position of the text, for about so many steps. Returns what can be passed on, and where it stopped. */
  read(text: string, from: number, maxSteps: number): { passed: string; to: number; steps: number } {
    const before = this.#budget.steps
    const to = this.hasGivenUp ? text.length : this.#scan(text, from, maxSteps)
    this.#held += text.slice(from, to)
    const passed = this.#pass(this.hasGivenUp ? Number.POSITIVE_INFINITY : this.#pendingFrom())
    return { passed, to, steps: before - this.#budget.steps }
  }

  /** The text has ended: returns the rest of it. */
  end(): string {
    for (const scanner of this.#scanners) scanner.end(this.#cover)
    return this.#pass(Number.POSITIVE_INFINITY)
  }

  /** Returns where it stopped; at the end if it has given up. */
  #scan(text: string, from: number, maxSteps: number): number {
    const offset = this.#base + this.#held.length - from
    const least = this.#budget.steps - maxSteps
    let at = from
    let isIdle = this.#isIdle()
    while (at < text.length && this.#budget.steps > least) {
      if (this.#budget.steps <= 0) {
        this.hasGivenUp = true
        return text.length
      }
      if (isIdle) {
        const until = Math.min(text.length, at + (this.#budget.steps - Math.max(least, 0)) * skippedPerStep)
        const to = this.#set.skip(text, at, until, this.#before)
        if (to > at) {
          this.#before = text.charCodeAt(to - 1)
          this.#escape = outsideEscape
        }
        this.#budget.steps -= Math.ceil((to - at) / skippedPerStep)
        at = to
        if (at >= until) continue
      }
      const point = text.codePointAt(at) ?? 0
      this.#read(point, offset + at)
      at += lengthOf(point)
      isIdle = this.#isIdle()
    }
    return at
  }

  #read(point: number, at: number): void {
    const shown = isDigitOfEscape(this.#escape, point) ? escaped : point
    const before = isLetterOfEscape(this.#escape, point) ? wordPoint : this.#before
    for (const scanner of this.#scanners) this.#budget.steps -= scanner.push(shown, at, before, this.#cover)
    this.#escape = nextEscape(this.#escape, point)
    this.#before = hasEscapeEnded(this.#escape) ? noWordPoint : point
  }

  /** Only a character that begins something matters. */
  #isIdle(): boolean {
    const isInEscape = this.#escape !== outsideEscape && !hasEscapeEnded(this.#escape)
    return !isInEscape && this.#pendingFrom() === Number.POSITIVE_INFINITY
  }

  #pendingFrom(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { pendingFrom } of this.#scanners) if (pendingFrom < first) first = pendingFrom
    return first
  }

  /** What is held up to this position, without what is covered. */
  #pass(until: number): string {
    const end = Math.min(this.#base + this.#held.length, until)
    let passed = ''
    let at = this.#base
    while (at < end) {
      while ((this.#covered[0]?.to ?? Number.POSITIVE_INFINITY) <= at) this.#covered.shift()
      const { from, to } = this.#covered[0] ?? { from: end, to: end }
      const isCovered = from <= at
      const next = Math.min(isCovered ? to : from, end)
      const piece = this.#held.slice(at - this.#base, next - this.#base)
      if (!isCovered) passed += piece
      else if (!this.#isCovering) {
        passed += this.#strings?.isInside === false ? `"${redacted}"` : redacted
        this.count += 1
      }
      this.#strings?.read(piece)
      this.#isCovering = isCovered
      at = next
    }
    this.#held = this.#held.slice(at - this.#base)
    this.#base = at
    return passed
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
