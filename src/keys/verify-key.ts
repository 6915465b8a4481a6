/**
 * Who is calling, from the Authorization header. May import `store` and `base`. Promises: no write on this path, no plain
 * key kept beyond the call, and a revocation, suspension, rotation or change counts at once in this process and within a second from
 * anywhere else.
 */
import type { Clock } from '../base/clock.ts'
import type { FoundKey, KeyRecord, KeyRecords } from '../store/contract.ts'
import type { SuspendedThing } from '../store/suspension-contract.ts'
import { maskKey } from './hide-keys.ts'
import { hashKeyText, isWellFormed } from './key-format.ts'
import { keyState } from './key-state.ts'

type Verdict =
  | { outcome: 'valid'; key: KeyRecord }
  | { outcome: 'missing' }
  | { outcome: 'suspended'; thing: SuspendedThing }
  | { outcome: 'incorrect' | 'revoked' | 'expired' | 'rotated' /** Masked, for the message. */; shownKey: string }

export interface KeyVerifier {
  verify(authorization: string | undefined): Promise<Verdict>
  /** The next call with this key asks the store again. */
  forget(keyId: string): void
}

type VerifierOptions = { records: Pick<KeyRecords, 'findByHash'>; clock: Clock }
type Known = { found: FoundKey; askedAtMs: number }

const freshMs = 1_000
const maxKnown = 10_000

export const createKeyVerifier = ({ records, clock }: VerifierOptions): KeyVerifier => {
  /** By hash as text, least recently used first. */
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<FoundKey | null>>()

  const remember = (id: string, entry: Known): void => {
    known.delete(id)
    known.set(id, entry)
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break
      known.delete(oldest)
    }
  }

  const ask = (id: string): Promise<FoundKey | null> => {
    // An answer is as old as its question, however long the store took.
    const askedAtMs = clock.monotonicMs()
    const answer = records.findByHash(Buffer.from(id, 'hex')).then((found) => {
      // Forgotten meanwhile: the answer may be from before the revocation.
      const isCurrent = asking.get(id) === answer
      if (isCurrent && found !== null && found.record.revokedAt === null) remember(id, { found, askedAtMs })
      return found
    })
    asking.set(id, answer)
    const done = (): void => {
      if (asking.get(id) === answer) asking.delete(id)
    }
    answer.then(done, done)
    return answer
  }

  const find = async (id: string): Promise<FoundKey | null> => {
    const entry = known.get(id)
    if (entry !== undefined && clock.monotonicMs() - entry.askedAtMs < freshMs) {
      remember(id, entry)
      return entry.found
    }
    known.delete(id)
    return asking.get(id) ?? ask(id)
  }

  return {
    async verify(authorization) {
      const key = bearerToken(authorization)
      if (key === null) return { outcome: 'missing' }
      const found = isWellFormed(key) ? await find(hashKeyText(key)) : null
      if (found === null) return { outcome: 'incorrect', shownKey: maskKey(key) }
      const state = keyState(found.record, clock.now())
      if (state === 'revoked' || state === 'expired') return { outcome: state, shownKey: maskKey(key) }
      if (!isSecretGood(found, clock.now())) return { outcome: 'rotated', shownKey: maskKey(key) }
      if (found.suspended !== null) return { outcome: 'suspended', thing: found.suspended }
      return { outcome: 'valid', key: found.record }
    },
    forget(keyId) {
      for (const [id, { found }] of known) if (found.record.id === keyId) known.delete(id)
      // Whose keys are being asked for is not known yet, so all of them are asked for anew.
      asking.clear()
    },
  }
}

/** The secret before the last rotation works until its grace is over. */
const isSecretGood = ({ secret, record: { previousUntil } }: FoundKey, now: number): boolean =>
  secret === 'current' || (previousUntil !== null && now < previousUntil)

/** Null unless the scheme is Bearer, in any case, with something behind it. */
const bearerToken = (authorization = ''): string | null => {
  const text = authorization.trim()
  if (!/^bearer[ \t]/i.test(text)) return null
  return text.slice('bearer '.length).trim()
}
