import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { Actor } from '../actor.ts'
import { accountEvent, accountTarget, auditEvent } from '../audit-event.ts'
import { checkEmail } from '../email/check-email.ts'
import type { Seal } from '../secrets/seal.ts'
import { sealedContexts } from '../secrets/sealed-contexts.ts'
import { type Confirmations, type SessionActor, wrongCode } from '../sessions/confirmations.ts'
import { normaliseCode } from './code-reader.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { findTotpStep, newTotpSecret, toBase32, totpAddress } from './totp.ts'

type TwoFactorDependencies = {
  store: Pick<Store, 'accounts' | 'secondFactors'>
  clock: Clock
  seal: Seal
  confirmations: Pick<Confirmations, 'checkCode' | 'checkPassword' | 'requireFresh'>
}

/** Codes from an authenticator app: set up and switched off by the user, or reset by the operator. */
export const createTwoFactor = ({ store, clock, seal, confirmations }: TwoFactorDependencies) => {
  const createCodes = (accountId: string): { codes: string[]; codeHashes: Uint8Array[] } => {
    const codes = newRecoveryCodes()
    return { codes, codeHashes: codes.map((code) => hashRecoveryCode(accountId, code)) }
  }
  return {
    /** `host` names this server in the app. It takes effect with the first code. */
    async begin(by: SessionActor, host: string): Promise<{ secret: string; address: string }> {
      confirmations.requireFresh(by)
      const { accountId } = by
      const known = await store.accounts.find(accountId)
      if (known === null) throw ApiError.of('not_signed_in', {})
      const secret = newTotpSecret()
      const begun = await store.secondFactors.begin(
        accountId,
        seal.close(secret, sealedContexts.totp(accountId)),
        clock.now(),
      )
      if (!begun) throw ApiError.of('second_factor_on', {})
      return { secret: toBase32(secret), address: totpAddress(secret, known.account.email, host) }
    },
    /** Resolves to the recovery codes, which are never shown again. */
    async confirm(by: Actor, code: string): Promise<string[]> {
      const { accountId, sessionId } = by
      const totp = await store.secondFactors.find(accountId)
      if (totp === null) throw ApiError.of('second_factor_off', {})
      if (totp.confirmedAt !== null) throw ApiError.of('second_factor_on', {})
      const secret = seal.open(totp.sealedSecret, sealedContexts.totp(accountId))
      const step = secret === null ? null : findTotpStep(secret, normaliseCode(code), clock.now(), totp.lastStep)
      if (step === null) throw wrongCode()
      const { codes, codeHashes } = createCodes(accountId)
      const confirmed = { sealedSecret: totp.sealedSecret, step, codeHashes, now: clock.now() }
      const event = accountEvent('account.two_factor_on', by, clock.now())
      if (!(await store.secondFactors.confirm({ id: sessionId, accountId }, confirmed, event))) throw wrongCode()
      return codes
    },
    async renewCodes(by: SessionActor): Promise<string[]> {
      confirmations.requireFresh(by)
      const { codes, codeHashes } = createCodes(by.accountId)
      const event = accountEvent('account.recovery_codes_made', by, clock.now())
      if (!(await store.secondFactors.replaceRecoveryCodes(by.accountId, codeHashes, event)))
        throw ApiError.of('second_factor_off', {})
      return codes
    },
    async switchOff(by: SessionActor, password: string | null, code: string): Promise<void> {
      const { accountId } = by
      const known = await store.accounts.find(accountId)
      if (known?.account.hasTotp !== true) throw ApiError.of('second_factor_off', {})
      // Without a password another recent confirmation is needed.
      if (known.passwordHash === null) confirmations.requireFresh(by)
      else await confirmations.checkPassword(by, password ?? '', 'password')
      const event = accountEvent('account.two_factor_off', by, clock.now())
      await confirmations.checkCode(by, code, (proof) => store.secondFactors.remove(accountId, proof, event))
    },
    /** For a user who lost the app. All their sessions end. */
    async reset(email: string, actor: AuditActor): Promise<void> {
      const known = await store.accounts.findByEmail(checkEmail(email).emailSpellings)
      if (known === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
      const { id } = known.account
      const event = auditEvent('account.two_factor_reset', actor, clock.now(), { target: accountTarget(id) })
      if (!(await store.secondFactors.reset(id, event))) throw ApiError.of('second_factor_off', {})
    },
  }
}
