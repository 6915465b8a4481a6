import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/contract.ts'
import type { CodeProof } from '../../store/sign-in-contract.ts'
import type { Seal } from '../secrets/seal.ts'
import { hashRecoveryCode, looksLikeRecoveryCode } from './recovery-codes.ts'
import { findTotpStep } from './totp.ts'

/** Null: it is no code of this account, or was used before. The store has the last word when the proof is used. */
export type CodeReader = (accountId: string, typed: string) => Promise<CodeProof | null>

type CodeRooms = { store: Pick<Store, 'secondFactors'>; clock: Clock; log: Log; seal: Seal }

/** Reads what somebody typed where a code was asked for: one from the app, or one of those for when it is gone. */
export const createCodeReader =
  ({ store, clock, log, seal }: CodeRooms): CodeReader =>
  async (accountId, typed) => {
    const code = normalizeCode(typed)
    if (looksLikeRecoveryCode(code)) return { kind: 'recovery', hash: hashRecoveryCode(accountId, code) }
    const totp = await store.secondFactors.find(accountId)
    if (totp === null || totp.confirmedAt === null) return null
    const secret = seal.open(totp.sealedSecret, accountId)
    // The key of the data directory is another one than it was: whoever restored a backup has to bring it along.
    if (secret === null) log.error('second_factor_unreadable', { accountId })
    const step = secret === null ? null : findTotpStep(secret, code, clock.now(), totp.lastStep)
    return step === null ? null : { kind: 'totp', step }
  }

/** Apps show codes in two groups, and a Japanese keyboard may write wide figures. */
export const normalizeCode = (typed: string): string => typed.normalize('NFKC').replace(/\s/g, '')
