import type { Transporter } from 'nodemailer'
import type { Log } from '../../base/log.ts'
import type { MailMessage } from './mail-messages.ts'

/** Failures are logged; whoever requested the mail neither waits for it nor sees the failure. */
export interface Mailer {
  send(to: string, message: MailMessage): Promise<void>
  /** The same, for those who try again: false if it failed. */
  trySend(to: string, message: MailMessage): Promise<boolean>
}

type MailerOptions = { smtpUrl: string; mailFrom: string; log: Log }

const timeoutMs = 10_000
export const transportOptions = {
  connectionTimeout: timeoutMs,
  greetingTimeout: timeoutMs,
  socketTimeout: timeoutMs,
  // Mails never include the contents of a file or URL.
  disableFileAccess: true,
  disableUrlAccess: true,
}
/** Bounds the memory of mails that wait for a slow mail server. */
const maxRunning = 50

export const createMailer = ({ smtpUrl, mailFrom, log }: MailerOptions): Mailer => {
  let transport: Promise<Transporter> | null = null
  /** With the first mail: a server without a mail server never loads it. */
  const openTransport = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url: smtpUrl, ...transportOptions })
  }
  let running = 0
  const trySend = async (to: string, message: MailMessage): Promise<boolean> => {
    if (running >= maxRunning) {
      log.error('mail_failed', { reason: 'the mail queue is full' })
      return false
    }
    running += 1
    try {
      transport ??= openTransport().catch((error) => {
        transport = null
        throw error
      })
      await (await transport).sendMail({ from: mailFrom, to: { name: '', address: to }, ...message })
      return true
    } catch (error) {
      // Without the message, in which mail servers repeat the address.
      log.error('mail_failed', { reason: errorCode(error) })
      return false
    } finally {
      running -= 1
    }
  }
  return {
    trySend,
    async send(to, message) {
      await trySend(to, message)
    },
  }
}

const errorCode = (error: unknown): string => {
  const { code, responseCode } = Object(error)
  return [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ')
}
