import type { LanguageCode } from '../../../languages/language.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Log } from '../../base/log.ts'
import { toNetwork } from '../../base/to-network.ts'
import type { AccountRecord } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { checkEmail } from './check-email.ts'
import {
  type InvitationDetails,
  type MailKind,
  writeEmailChanged,
  writeInvitation,
  writeMail,
  writeNewPlace,
} from './mail-messages.ts'
import type { FindMailer } from './mailer-lookup.ts'
import type { OneTimeLinks } from './one-time-links.ts'

type AccountMailDependencies = {
  store: Pick<Store, 'accounts'>
  log: Log
  links: Pick<OneTimeLinks, 'create' | 'createEmailChange'>
  findMailer: FindMailer
  createLimit: CreateAttemptLimit
  /** Never taken from a request, whose Host header the sender chooses. */
  siteUrl(): string
}

export interface AccountMail {
  readonly sendsMail: boolean
  /** Takes the same time whether or not the email has an account: it reveals nothing. */
  requestReset(email: string, address: string): Promise<void>
  requestVerification(account: AccountRecord): Promise<void>
  /** Like `requestVerification`, but does nothing where no mail can be sent. */
  welcome(account: AccountRecord): void
  /** Sends a link to the new address; throws if the account has requested too many mails. */
  confirmNewEmail(account: AccountRecord, email: string): Promise<void>
  /** Tells the previous address that it can no longer be used to sign in. */
  notifyEmailChanged(account: AccountRecord, email: string): void
  /** Tells somebody that their account was used from a new network. Does nothing where no mail can be sent. */
  notifyNewPlace(account: AccountRecord, place: string): void
  /** Throws where no mail can be sent, or the account has sent too many invitations. */
  requireInvitationMail(accountId: string): Promise<void>
  /** In the recipient's language if they have an account. */
  invite(email: string, language: LanguageCode, invitation: InvitationDetails & { path: string }): void
  /** Resolves when every requested mail has been sent or has failed. */
  settled(): Promise<void>
}

const hourMs = 3_600_000

/** Mails that users request. They are sent in the background. */
export const createAccountMail = (dependencies: AccountMailDependencies): AccountMail => {
  const { store, log, links, findMailer, createLimit, siteUrl } = dependencies
  const perAccount = createLimit('mail', { max: 5, perMs: hourMs })
  const invitations = createLimit('invitation', { max: 30, perMs: hourMs })
  const perNetwork = createLimit('reset', { max: 20, perMs: hourMs })
  const running = new Set<Promise<void>>()

  const sendLink = async (
    kind: Exclude<MailKind, 'email_change'>,
    { id, email, language }: AccountRecord,
  ): Promise<void> => {
    const { path } = await links.create(kind, id)
    await findMailer()?.send(email, writeMail(kind, language, siteUrl() + path))
  }
  const inBackground = (work: () => Promise<void>): void => {
    const done = work()
      .catch(() => log.error('mail_failed', { reason: 'the store is not responding' }))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const requireMailer = (): void => {
    if (findMailer() === null) throw ApiError.of('mail_not_configured', {})
  }
  const sendReset = async (emailSpellings: readonly string[]): Promise<void> => {
    const known = await store.accounts.findByEmail(emailSpellings)
    // Earlier links stay valid, so requesting one for somebody else does not invalidate theirs.
    if (known !== null && (await perAccount.tryConsume(known.account.id)))
      await sendLink('password_reset', known.account)
  }
  return {
    get sendsMail() {
      return findMailer() !== null
    },
    async requestReset(text, address) {
      const { emailSpellings } = checkEmail(text)
      await perNetwork.consume(toNetwork(address))
      if (findMailer() !== null) inBackground(() => sendReset(emailSpellings))
    },
    async requestVerification(account) {
      requireMailer()
      await perAccount.consume(account.id)
      inBackground(() => sendLink('email_verification', account))
    },
    welcome(account) {
      if (findMailer() !== null) inBackground(() => sendLink('email_verification', account))
    },
    async confirmNewEmail({ id, language }, email) {
      await perAccount.consume(id)
      inBackground(async () => {
        const { path } = await links.createEmailChange(id, email)
        await findMailer()?.send(email, writeMail('email_change', language, siteUrl() + path))
      })
    },
    notifyEmailChanged({ email: previous, language }, email) {
      inBackground(async () => findMailer()?.send(previous, writeEmailChanged(language, email, siteUrl())))
    },
    notifyNewPlace({ email, language, emailVerified }, place) {
      if (findMailer() !== null && emailVerified)
        inBackground(async () => findMailer()?.send(email, writeNewPlace(language, place, `${siteUrl()}/settings`)))
    },
    async requireInvitationMail(accountId) {
      requireMailer()
      await invitations.consume(accountId)
    },
    invite(email, language, { path, ...details }) {
      inBackground(async () => {
        const known = await store.accounts.findByEmail(checkEmail(email).emailSpellings)
        const message = writeInvitation(known?.account.language ?? language, siteUrl() + path, details)
        await findMailer()?.send(email, message)
      })
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
