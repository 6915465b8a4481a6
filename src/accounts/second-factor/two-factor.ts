import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import { accountEvent } from '../account-event.ts'
import type { Actor } from '../actor.ts'
import { checkEmail } from '../email/check-email.ts'
import type { Seal } from '../secrets/seal.ts'
import { type Confirmations, type Holder, wrongCode } from '../sessions/confirmations.ts'
import { toBase32 } from './base32.ts'
import { normalizeCode } from './code-reader.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { findTotpStep, newTotpSecret, totpAddress } from './totp.ts'

type TwoFactorRooms = {
  store: Pick<Store, 'accounts' | 'secondFactors'>
  clock: Clock
  seal: Seal
  confirmations: Confirmations
}

export interface TwoFactor {
  /** `host`: how the app tells this server from another. Nothing is on until a first code came back. */
  begin(holder: Holder, host: string): Promise<{ secret: string; address: string }>
  /** Resolves to the recovery codes, which are in this answer and in no other. */
  confirm(by: Actor, code: string): Promise<string[]>
  renewCodes(holder: Holder): Promise<string[]>
  switchOff(holder: Holder, password: string | null, code: string): Promise<void>
  /** For somebody who lost it. All their sessions end. */
  reset(email: string, by: AuditActor): Promise<void>
}

/** Codes from an app on top of the password: set up, switched off, or taken away by whoever runs the server. */
export const createTwoFactor = ({ store, clock, seal, confirmations }: TwoFactorRooms): TwoFactor => {
  const makeCodes = (accountId: string): { codes: string[]; codeHashes: Uint8Array[] } => {
    const codes = newRecoveryCodes()
    return { codes, codeHashes: codes.map((code) => hashRecoveryCode(accountId, code)) }
  }
  return {
    async begin(holder, host) {
      confirmations.requireFresh(holder)
      const { accountId } = holder
      const known = await store.accounts.find(accountId)
      if (known === null) throw ApiError.of('not_signed_in', {})
      const secret = newTotpSecret()
      const begun = await store.secondFactors.begin(accountId, seal.close(secret, accountId), clock.now())
      if (!begun) throw ApiError.of('second_factor_on', {})
      return { secret: toBase32(secret), address: totpAddress(secret, known.account.email, host) }
    },
    async confirm(by, code) {
      const { accountId, sessionId } = by
      const totp = await store.secondFactors.find(accountId)
      if (totp === null) throw ApiError.of('second_factor_off', {})
      if (totp.confirmedAt !== null) throw ApiError.of('second_factor_on', {})
      const secret = seal.open(totp.sealedSecret, accountId)
      const step = secret === null ? null : findTotpStep(secret, normalizeCode(code), clock.now(), totp.lastStep)
      if (step === null) throw wrongCode()
      const { codes, codeHashes } = makeCodes(accountId)
      const confirmed = { sealedSecret: totp.sealedSecret, step, codeHashes, now: clock.now() }
      const event = accountEvent('account.two_factor_on', by, clock.now())
      if (!(await store.secondFactors.confirm({ id: sessionId, accountId }, confirmed, event))) throw wrongCode()
      return codes
    },
    async renewCodes(holder) {
      confirmations.requireFresh(holder)
      const { codes, codeHashes } = makeCodes(holder.accountId)
      const event = accountEvent('account.recovery_codes_made', holder, clock.now())
      if (!(await store.secondFactors.replaceRecoveryCodes(holder.accountId, codeHashes, event)))
        throw ApiError.of('second_factor_off', {})
      return codes
    },
    async switchOff(holder, password, code) {
      const { accountId } = holder
      const known = await store.accounts.find(accountId)
      if (known?.account.hasTotp !== true) throw ApiError.of('second_factor_off', {})
      // Who has no password has to have shown lately, in another way, that it is them.
      if (known.passwordHash === null) confirmations.requireFresh(holder)
      else await confirmations.checkPassword(holder, password ?? '', 'password')
      const event = accountEvent('account.two_factor_off', holder, clock.now())
      await confirmations.checkCode(holder, code, (proof) => store.secondFactors.remove(accountId, proof, event))
    },
    async reset(email, actor) {
      const known = await store.accounts.findByEmail(checkEmail(email).emailKey)
      if (known === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
      const { id } = known.account
      const event = {
        at: clock.now(),
        organisationId: null,
        actor,
        action: 'account.two_factor_reset',
        target: { kind: 'account', id, name: null },
        details: {},
      } as const
      if (!(await store.secondFactors.reset(id, event))) throw ApiError.of('second_factor_off', {})
    },
  }
}
