import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/settings.ts'
import { createMailer, type Mailer } from './mailer.ts'

export type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom'>

/** What sends mail at this moment: the mail server may be changed while the server runs. Null: none. */
export type FindMailer = () => Mailer | null

export const createMailerLookup = (settings: MailSettings, log: Log): FindMailer => {
  let last: { smtpUrl: string; mailFrom: string; mailer: Mailer } | null = null
  return () => {
    const { smtpUrl, mailFrom } = settings
    if (smtpUrl === null || mailFrom === null) return null
    if (last?.smtpUrl !== smtpUrl || last.mailFrom !== mailFrom)
      last = { smtpUrl, mailFrom, mailer: createMailer({ smtpUrl, mailFrom, log }) }
    return last.mailer
  }
}
