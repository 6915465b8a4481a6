import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { networkOf } from '../../base/network-of.ts'
import type { AccountRecord, Language } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import { type AttemptLimit, createAttemptLimit } from '../attempt-limit.ts'
import { checkEmail } from './check-email.ts'
import {
  type InvitationDetails,
  type MailKind,
  writeEmailChanged,
  writeInvitation,
  writeMail,
} from './mail-messages.ts'
import type { Mailer } from './mailer.ts'
import type { Links } from './one-time-links.ts'

type AccountMailDependencies = {
  store: Pick<Store, 'accounts'>
  clock: Clock
  log: Log
  links: Links
  mailer: Mailer | null
  /** Where the links in mails lead. Never from a request: its Host header is whatever the sender wrote. */
  siteUrl(): string
}

export interface AccountMail {
  readonly sendsMail: boolean
  /** Returns at once, whoever the email belongs to; what follows takes its time behind the scenes. */
  requestReset(email: string, address: string): void
  requestVerification(account: AccountRecord): void
  /** As `requestVerification`, but where no mail can be sent nothing happens. */
  welcome(account: AccountRecord): void
  /** A link to the address that somebody wants to have; throws where they asked for too many. */
  confirmNewEmail(account: AccountRecord, email: string): void
  /** To the address so far: it leads to the account no more. */
  tellEmailChanged(account: AccountRecord, email: string): void
  /** Throws where no mail can be sent, or the account has sent too many invitations. */
  requireMail(accountId: string): void
  /** In the language of whoever has the email, where the server knows them. */
  invite(email: string, language: Language, invitation: InvitationDetails & { path: string }): void
  /** Resolves when everything that was asked for is sent or given up. */
  settled(): Promise<void>
}

const hourMs = 3_600_000

/** Mails that people ask for. */
export const createAccountMail = (rooms: AccountMailDependencies): AccountMail => {
  const { store, clock, log, links, mailer } = rooms
  const perAccount = createAttemptLimit({ most: 5, perMs: hourMs }, clock)
  const invitations = createAttemptLimit({ most: 30, perMs: hourMs }, clock)
  const perNetwork = createAttemptLimit({ most: 20, perMs: hourMs }, clock)
  const running = new Set<Promise<void>>()

  const sendLink = async (
    kind: Exclude<MailKind, 'email_change'>,
    { id, email, language }: AccountRecord,
  ): Promise<void> => {
    const { path } = await links.make(kind, id)
    await mailer?.send(email, writeMail(kind, language, rooms.siteUrl() + path))
  }
  const inBackground = (work: () => Promise<void>): void => {
    const done = work()
      .catch(() => log.error('mail_failed', { reason: 'the store is not responding' }))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const sendReset = async (emailKey: string): Promise<void> => {
    const known = await store.accounts.findByEmail(emailKey)
    // Earlier links stay good: whoever asks in another's name takes nothing away from them.
    if (known !== null && hasTries(perAccount, known.account.id)) await sendLink('password_reset', known.account)
  }
  return {
    sendsMail: mailer !== null,
    requestReset(text, address) {
      const { emailKey } = checkEmail(text)
      perNetwork.take(networkOf(address))
      if (mailer !== null) inBackground(() => sendReset(emailKey))
    },
    requestVerification(account) {
      if (mailer === null) throw ApiError.of('mail_not_configured', {})
      perAccount.take(account.id)
      inBackground(() => sendLink('email_verification', account))
    },
    welcome(account) {
      if (mailer !== null) inBackground(() => sendLink('email_verification', account))
    },
    confirmNewEmail({ id, language }, email) {
      perAccount.take(id)
      inBackground(async () => {
        const { path } = await links.makeEmailChange(id, email)
        await mailer?.send(email, writeMail('email_change', language, rooms.siteUrl() + path))
      })
    },
    tellEmailChanged({ email: before, language }, email) {
      inBackground(async () => mailer?.send(before, writeEmailChanged(language, email)))
    },
    requireMail(accountId) {
      if (mailer === null) throw ApiError.of('mail_not_configured', {})
      invitations.take(accountId)
    },
    invite(email, language, { path, ...told }) {
      inBackground(async () => {
        const known = await store.accounts.findByEmail(email.toLowerCase())
        const message = writeInvitation(known?.account.language ?? language, rooms.siteUrl() + path, told)
        await mailer?.send(email, message)
      })
    },
    async settled() {
      await Promise.all(running)
    },
  }
}

const hasTries = (limit: AttemptLimit, name: string): boolean => {
  try {
    limit.take(name)
    return true
  } catch {
    return false
  }
}
