import { createMatcher, type Matcher, type MatchState } from '../../../grammar/matcher.ts'
import { unpackGrammar } from '../../../grammar/packed-grammar.ts'
import type { Constraint } from '../../contract.ts'

/** Where an answer stands towards the grammar it is held to. */
export interface Hold {
  /** The grammar rules here, so that the next token cannot be drawn blindly. */
  active(): boolean
  /** Whether this token, as text, may come next. */
  allows(id: number): boolean
  /** The token came. */
  take(id: number): void
  mayEnd(): boolean
  /** Nothing can come any more. */
  mustEnd(): boolean
}

type TokenBytes = (id: number) => Uint8Array

type HeldTo = { constraint: Constraint | null; withoutText: string | null }

export const createHold = ({ constraint, withoutText }: HeldTo, tokenBytes: TokenBytes): Hold => {
  if (constraint === null) return withoutText ? holdWithout(Buffer.from(withoutText), tokenBytes) : free
  const matcher = createMatcher(unpackGrammar(constraint.grammar))
  const { after } = constraint
  if (after === null || after === '') return holdTo(matcher, matcher.start, tokenBytes)
  return holdAfter(Buffer.from(after), matcher, tokenBytes)
}

const free: Hold = { active: () => false, allows: () => true, take: () => {}, mayEnd: () => true, mustEnd: () => false }

const holdTo = (matcher: Matcher, start: MatchState, tokenBytes: TokenBytes): Hold => {
  let state = start
  return {
    active: () => true,
    allows(id) {
      const bytes = tokenBytes(id)
      const [first] = bytes
      // Control tokens have no bytes. They would fit everywhere, and for ever.
      if (first === undefined || !matcher.allowsByte(state, first)) return false
      return bytes.length === 1 || matcher.advance(state, bytes) !== null
    },
    take(id) {
      const next = matcher.advance(state, tokenBytes(id))
      if (next === null) throw new Error(`token ${id} breaks the grammar`)
      state = next
    },
    mayEnd: () => matcher.mayEnd(state),
    mustEnd: () => matcher.mustEnd(state),
  }
}

/**
 * Free until the text has come. The token that completes it may carry more: this must already fit the grammar, and where it
 * does not, the token is not allowed.
 */
const holdAfter = (after: Buffer, matcher: Matcher, tokenBytes: TokenBytes): Hold => {
  let tail: Uint8Array = new Uint8Array()
  let held: Hold | null = null
  /** What follows the text, were this token to come; null where the text would still not be there. */
  const behind = (id: number): Uint8Array | null => {
    const bytes = Buffer.concat([tail, tokenBytes(id)])
    const found = bytes.indexOf(after)
    return found < 0 ? null : bytes.subarray(found + after.length)
  }
  const stateBehind = (rest: Uint8Array): MatchState | null =>
    rest.length === 0 ? matcher.start : matcher.advance(matcher.start, rest)
  return {
    active: () => held !== null,
    allows(id) {
      if (held) return held.allows(id)
      const rest = behind(id)
      return rest === null || stateBehind(rest) !== null
    },
    take(id) {
      if (held) {
        held.take(id)
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
      held = holdTo(matcher, state, tokenBytes)
    },
    mayEnd: () => held?.mayEnd() ?? true,
    mustEnd: () => held?.mustEnd() ?? false,
  }
}

/**
 * Free, but for tokens that would complete the text. Which tokens it is spelled in does not matter; only that one of them is
 * drawn anew costs time.
 */
const holdWithout = (barred: Buffer, tokenBytes: TokenBytes): Hold => {
  let tail: Uint8Array = new Uint8Array()
  const joined = (id: number): Buffer => Buffer.concat([tail, tokenBytes(id)])
  return {
    ...free,
    allows: (id) => !joined(id).includes(barred),
    take(id) {
      const bytes = joined(id)
      tail = bytes.subarray(Math.max(0, bytes.length - barred.length + 1))
    },
  }
}
