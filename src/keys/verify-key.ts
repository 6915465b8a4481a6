/**
 * Verifies the API key in the Authorization header. May import `store` and `base`. Promises: nothing is written here, no
 * plain key is kept beyond the call, and a revocation, suspension, pause, rotation or change takes effect at once in this process,
 * and within a second if another process made it, unless the store cannot be reached.
 */
import type { Clock } from '../base/clock.ts'
import { createLookupCache } from '../base/lookup-cache.ts'
import type { FoundKey, KeyRecord, KeyRecords } from '../store/contract.ts'
import { isStoreAway } from '../store/store-failure.ts'
import type { SuspendedThing } from '../store/suspension-contract.ts'
import { maskKey } from './hide-keys.ts'
import { hashKeyText, isWellFormed } from './key-format.ts'
import { keyState } from './key-state.ts'

/** `ownerId`: see `CompletionCaller`; a transfer of ownership counts within a second, too. */
export type VerifiedKey = { key: KeyRecord; ownerId: string }

type Verdict =
  | ({ outcome: 'valid' } & VerifiedKey)
  | { outcome: 'missing' }
  | { outcome: 'suspended'; thing: SuspendedThing }
  | {
      outcome: 'incorrect' | 'revoked' | 'expired' | 'rotated' | 'paused' /** Masked, for the message. */
      shownKey: string
    }

export interface KeyVerifier {
  verify(authorization: string | undefined): Promise<Verdict>
  /** The next call with this key reads the store again. */
  forget(keyId: string): void
}

type KeyVerifierDependencies = {
  records: Pick<KeyRecords, 'findByHash'>
  clock: Clock
  /** While the store cannot be reached, a key that was verified counts for so long. Absent: it does not. */
  maxOutageMs?: number
  /** In a worker: another number than before means that keys have changed. */
  epoch?(): number
}

export const createKeyVerifier = (dependencies: KeyVerifierDependencies): KeyVerifier => {
  const { records, clock, maxOutageMs = 0, epoch = () => 0 } = dependencies
  let seenEpoch = epoch()
  /** By hash in hexadecimal. */
  const keys = createLookupCache<FoundKey | null>({
    load: (hash) => records.findByHash(Buffer.from(hash, 'hex')),
    clock,
    freshMs: 1_000,
    maxEntries: 10_000,
    isCacheable: (found) => found !== null && found.record.revokedAt === null,
    stale: { maxMs: maxOutageMs, isAway: isStoreAway },
  })
  return {
    async verify(authorization) {
      const key = bearerToken(authorization)
      if (key === null) return { outcome: 'missing' }
      const now = epoch()
      if (now !== seenEpoch) keys.forget(() => true)
      seenEpoch = now
      const found = isWellFormed(key) ? await keys.get(hashKeyText(key)) : null
      if (found === null) return { outcome: 'incorrect', shownKey: maskKey(key) }
      const state = keyState(found.record, clock.now())
      if (state === 'revoked' || state === 'expired') return { outcome: state, shownKey: maskKey(key) }
      if (!isSecretValid(found, clock.now())) return { outcome: 'rotated', shownKey: maskKey(key) }
      if (found.suspended !== null) return { outcome: 'suspended', thing: found.suspended }
      if (state === 'paused') return { outcome: 'paused', shownKey: maskKey(key) }
      return { outcome: 'valid', key: found.record, ownerId: found.ownerId }
    },
    forget: (keyId) => keys.forget((found) => found?.record.id === keyId),
  }
}

/** After a rotation the previous secret works until its grace period ends. */
const isSecretValid = ({ secret, record: { previousUntil } }: FoundKey, now: number): boolean =>
  secret === 'current' || (previousUntil !== null && now < previousUntil)

/** Null unless the scheme is Bearer, in any case, followed by a token. */
const bearerToken = (authorization = ''): string | null => {
  const text = authorization.trim()
  if (!/^bearer[ \t]/i.test(text)) return null
  return text.slice('bearer '.length).trim()
}
