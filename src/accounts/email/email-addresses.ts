import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { accountEvent } from '../audit-event.ts'
import { hashToken } from '../secrets/secret-token.ts'
import type { Confirmations, SessionActor } from '../sessions/confirmations.ts'
import type { AccountMail } from './account-mail.ts'
import { checkEmail } from './check-email.ts'
import { emailInToken, invalidLink } from './one-time-links.ts'

type EmailAddressesDependencies = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  confirmations: Pick<Confirmations, 'checkPassword' | 'requireFresh'>
  mail: Pick<AccountMail, 'sendsMail' | 'confirmNewEmail' | 'notifyEmailChanged'>
  createLimit: CreateAttemptLimit
}

/** The response reveals whether an address has an account, so requests are limited. */
const attempts = { max: 10, perMs: 3_600_000 }

export const createEmailAddresses = (dependencies: EmailAddressesDependencies) => {
  const { store, clock, confirmations, mail, createLimit } = dependencies
  const limit = createLimit('email-change', attempts)
  return {
    /** By the link in a verification mail. */
    async verify(token: string, address: string): Promise<void> {
      const hash = hashToken(token)
      const now = clock.now()
      const accountId = (await store.links.find('email_verification', hash, now))?.accountId ?? null
      const event = accountId === null ? [] : [accountEvent('account.email_verified', { accountId, address }, now)]
      if (!(await store.accounts.verifyEmail(hash, now, ...event))) throw invalidLink()
    },
    /**
     * With a link to the new address, or at once where the server sends no mail and so verifies no address. `password` is
     * null for an account without one, which then needs another recent confirmation.
     */
    async requestChange(by: SessionActor, text: string, password: string | null): Promise<'mailed' | 'changed'> {
      const { localPart: _, ...wanted } = checkEmail(text)
      const { email, emailSpellings } = wanted
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      if (account === undefined) throw ApiError.of('not_signed_in', {})
      if (account.hasPassword) await confirmations.checkPassword(by, password ?? '', 'password')
      else confirmations.requireFresh(by)
      await limit.consume(account.id)
      const owner = (await store.accounts.findByEmail(emailSpellings))?.account
      if (owner !== undefined && (owner.id !== account.id || email === account.email)) throw emailTaken()
      if (mail.sendsMail) {
        await mail.confirmNewEmail(account, email)
        return 'mailed'
      }
      const event = accountEvent('account.email_changed', by, clock.now())
      if ((await store.accounts.changeEmail(account.id, wanted, event)) !== 'changed') throw emailTaken()
      return 'changed'
    },
    /** The previous address is notified. */
    async confirmChange(token: string, address: string): Promise<void> {
      const linkHash = hashToken(token)
      const now = clock.now()
      const link = await store.links.find('email_change', linkHash, now)
      const known = link === null || link.accountId === null ? null : await store.accounts.find(link.accountId)
      const text = emailInToken(token)
      if (known === null || text === null) throw invalidLink()
      const { localPart: _, ...wanted } = checkEmail(text, 'token')
      const event = accountEvent('account.email_changed', { accountId: known.account.id, address }, now)
      const outcome = await store.accounts.confirmEmail(linkHash, wanted, now, event)
      if (outcome === 'email_taken') throw emailTaken()
      if (outcome === 'not_found') throw invalidLink()
      mail.notifyEmailChanged(known.account, wanted.email)
    },
  }
}

const emailTaken = (): ApiError => ApiError.of('email_taken', {}, { param: 'email' })
