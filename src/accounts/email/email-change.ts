import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import { accountEvent } from '../account-event.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import { hashToken } from '../secrets/secret-token.ts'
import type { Confirmations, Holder } from '../sessions/confirmations.ts'
import type { AccountMail } from './account-mail.ts'
import { checkEmail } from './check-email.ts'
import { emailInToken } from './one-time-links.ts'

type EmailRooms = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  confirmations: Confirmations
  mail: AccountMail
}

export interface EmailChange {
  /**
   * By a link to the new address; at once where the server sends no mail, and so verifies none. `password` is null for who
   * has none: then another proof has to be fresh.
   */
  request(by: Holder, email: string, password: string | null): Promise<'mailed' | 'changed'>
  /** The address so far is told. */
  confirm(token: string, address: string): Promise<void>
}

/** Whether an address has an account here is told, but not by the thousand. */
const attempts = { most: 10, perMs: 3_600_000 }

export const createEmailChange = ({ store, clock, confirmations, mail }: EmailRooms): EmailChange => {
  const limit = createAttemptLimit(attempts, clock)
  return {
    async request(by, text, password) {
      const { email, emailKey } = checkEmail(text)
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      if (account === undefined) throw ApiError.of('not_signed_in', {})
      if (account.hasPassword) await confirmations.checkPassword(by, password ?? '', 'password')
      else confirmations.requireFresh(by)
      limit.take(account.id)
      const owner = (await store.accounts.findByEmail(emailKey))?.account
      if (owner !== undefined && (owner.id !== account.id || email === account.email)) throw emailTaken()
      if (mail.sendsMail) {
        mail.confirmNewEmail(account, email)
        return 'mailed'
      }
      const event = accountEvent('account.email_changed', by, clock.now())
      if ((await store.accounts.changeEmail(account.id, { email, emailKey }, event)) !== 'changed') throw emailTaken()
      return 'changed'
    },
    async confirm(token, address) {
      const linkHash = hashToken(token)
      const now = clock.now()
      const link = await store.links.find('email_change', linkHash, now)
      const known = link === null || link.accountId === null ? null : await store.accounts.find(link.accountId)
      const text = emailInToken(token)
      if (known === null || text === null) throw invalidLink()
      const { email, emailKey } = checkEmail(text, 'token')
      const event = accountEvent('account.email_changed', { accountId: known.account.id, address }, now)
      const outcome = await store.accounts.confirmEmail(linkHash, { email, emailKey }, now, event)
      if (outcome === 'email_taken') throw emailTaken()
      if (outcome === 'not_found') throw invalidLink()
      mail.tellEmailChanged(known.account, email)
    },
  }
}

const emailTaken = (): ApiError => ApiError.of('email_taken', {}, { param: 'email' })
const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })
