import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/contract.ts'
import type { CodeProof } from '../../store/sign-in-proof.ts'
import type { Seal } from '../secrets/seal.ts'
import { sealedContexts } from '../secrets/sealed-contexts.ts'
import { hashRecoveryCode, looksLikeRecoveryCode } from './recovery-codes.ts'
import { findTotpStep } from './totp.ts'

/** Null: not a code of this account, or already used. The store checks again when the proof is used. */
export type CodeReader = (accountId: string, typed: string) => Promise<CodeProof | null>

type CodeReaderDependencies = { store: Pick<Store, 'secondFactors'>; clock: Clock; log: Log; seal: Seal }

/** Reads a typed code: a TOTP code from the app, or a recovery code. */
export const createCodeReader =
  ({ store, clock, log, seal }: CodeReaderDependencies): CodeReader =>
  async (accountId, typed) => {
    const code = normaliseCode(typed)
    if (looksLikeRecoveryCode(code)) return { kind: 'recovery', hash: hashRecoveryCode(accountId, code) }
    const totp = await store.secondFactors.find(accountId)
    if (totp === null || totp.confirmedAt === null) return null
    const secret = seal.open(totp.sealedSecret, sealedContexts.totp(accountId))
    // The data directory has a different secret key: a restored backup needs the key it was made with.
    if (secret === null) log.error('second_factor_unreadable', { accountId })
    const step = secret === null ? null : findTotpStep(secret, code, clock.now(), totp.lastStep)
    return step === null ? null : { kind: 'totp', step }
  }

/** Apps show codes in two groups, and Japanese input methods may produce full-width digits. */
export const normaliseCode = (typed: string): string => typed.normalize('NFKC').replace(/\s/g, '')
