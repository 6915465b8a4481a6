import { createTransport } from 'nodemailer'
import type { Log } from '../../base/log.ts'
import type { MailMessage } from './mail-messages.ts'

/** Sends mails. A server that is down is told in the log; nobody who asked for a mail waits for it or sees it fail. */
export interface Mailer {
  send(to: string, message: MailMessage): Promise<void>
}

type MailerOptions = { smtpUrl: string; mailFrom: string; log: Log }

const timeoutMs = 10_000
/** Whoever asks for many must not fill the memory with those that wait for a slow server. */
const maxRunning = 50

export const createMailer = ({ smtpUrl, mailFrom, log }: MailerOptions): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // No text of a mail is ever read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let running = 0
  return {
    async send(to, message) {
      if (running >= maxRunning) return log.error('mail_failed', { reason: 'the mail queue is full' })
      running += 1
      try {
        await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, ...message })
      } catch (error) {
        // Not the message: a mail server repeats the address in it.
        log.error('mail_failed', { reason: codeOf(error) })
      } finally {
        running -= 1
      }
    },
  }
}

const codeOf = (error: unknown): string => {
  const { code, responseCode } = Object(error)
  return [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ')
}
