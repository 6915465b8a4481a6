import type { CompiledGrammar } from '../../../grammar/compiled-grammar.ts'
import { createMatcher, type Matcher, type MatchState } from '../../../grammar/matcher.ts'
import type { Constraint } from '../../contract.ts'

/** The state of an answer in the grammar that constrains it. */
export interface AnswerConstraint {
  /** Whether this token, as text, may come next. */
  allows(id: number): boolean
  /** Records that the token is now part of the answer. */
  accept(id: number): void
  mayEnd(): boolean
  /** No further token is allowed. */
  mustEnd(): boolean
}

type TokenBytes = (id: number) => Uint8Array

type ConstraintOptions = { constraint: Constraint | null; withoutText: string | null }

export const createAnswerConstraint = (
  { constraint, withoutText }: ConstraintOptions,
  tokenBytes: TokenBytes,
  matcherOf: (grammar: CompiledGrammar) => Matcher = createMatcher,
): AnswerConstraint => {
  if (constraint === null) return withoutText ? withoutOccurrence(Buffer.from(withoutText), tokenBytes) : free
  const matcher = matcherOf(constraint.grammar)
  const { after } = constraint
  if (after === null || after === '') return grammarFrom(matcher, matcher.start, tokenBytes)
  return grammarAfter(Buffer.from(after), matcher, tokenBytes)
}

const free: AnswerConstraint = { allows: () => true, accept: () => {}, mayEnd: () => true, mustEnd: () => false }

const grammarFrom = (matcher: Matcher, start: MatchState, tokenBytes: TokenBytes): AnswerConstraint => {
  let state = start
  return {
    allows(id) {
      const bytes = tokenBytes(id)
      const [first] = bytes
      // Control tokens have no bytes, so they would be allowed everywhere without end.
      if (first === undefined || !matcher.allowsByte(state, first)) return false
      return bytes.length === 1 || matcher.advance(state, bytes) !== null
    },
    accept(id) {
      const next = matcher.advance(state, tokenBytes(id))
      if (next === null) throw new Error(`token ${id} breaks the grammar`)
      state = next
    },
    mayEnd: () => matcher.mayEnd(state),
    mustEnd: () => matcher.mustEnd(state),
  }
}

/**
 * Unconstrained until the text occurs. If the token that completes it contains more, the rest must fit the grammar;
 * otherwise the token is not allowed.
 */
const grammarAfter = (after: Buffer, matcher: Matcher, tokenBytes: TokenBytes): AnswerConstraint => {
  let tail: Uint8Array = new Uint8Array()
  let begun: AnswerConstraint | null = null
  /** The bytes after the text if this token were added; null if the text would still be incomplete. */
  const behind = (id: number): Uint8Array | null => {
    const bytes = Buffer.concat([tail, tokenBytes(id)])
    const found = bytes.indexOf(after)
    return found < 0 ? null : bytes.subarray(found + after.length)
  }
  const stateBehind = (rest: Uint8Array): MatchState | null =>
    rest.length === 0 ? matcher.start : matcher.advance(matcher.start, rest)
  return {
    allows(id) {
      if (begun) return begun.allows(id)
      const rest = behind(id)
      return rest === null || stateBehind(rest) !== null
    },
    accept(id) {
      if (begun) {
        begun.accept(id)
        return
      }
      const rest = behind(id)
      if (rest === null) {
        const bytes = Buffer.concat([tail, tokenBytes(id)])
        tail = bytes.subarray(Math.max(0, bytes.length - after.length + 1))
        return
      }
      const state = stateBehind(rest)
      if (state === null) throw new Error(`token ${id} breaks the grammar`)
      begun = grammarFrom(matcher, state, tokenBytes)
    },
    mayEnd: () => begun?.mayEnd() ?? true,
    mustEnd: () => begun?.mustEnd() ?? false,
  }
}

/**
 * Unconstrained, except for tokens that would complete the text, however it is split into tokens.
 */
const withoutOccurrence = (barred: Buffer, tokenBytes: TokenBytes): AnswerConstraint => {
  let tail: Uint8Array = new Uint8Array()
  const last = barred.at(-1) ?? 0
  const joined = (id: number): Buffer => Buffer.concat([tail, tokenBytes(id)])
  return {
    ...free,
    // Only a token that contains the last byte can complete the text; few do.
    allows: (id) => !tokenBytes(id).includes(last) || !joined(id).includes(barred),
    accept(id) {
      const bytes = joined(id)
      tail = bytes.subarray(Math.max(0, bytes.length - barred.length + 1))
    },
  }
}
