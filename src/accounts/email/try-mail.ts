import type { MailMessage } from './mail-messages.ts'
import type { MailProblem } from './mail-problems.ts'
import { transportOptions } from './mailer.ts'

export type TriedMail = { smtpUrl: string; mailFrom: string; to: string; message: MailMessage }

export type MailTrial = {
  isSent: boolean
  /** Null if it was sent. */
  problem: MailProblem | null
  /** The code of the mail server's answer to the login or the mail; null if there is none. */
  code: number | null
}

/**
 * Sends one mail, and waits until the mail server has taken it. Nothing that the other side says is repeated, and whatever is not a mail
 * server looks the same: the address can be any port of the server's own network.
 */
export const tryMail = async ({ smtpUrl, mailFrom, to, message }: TriedMail): Promise<MailTrial> => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url: smtpUrl, ...transportOptions })
  try {
    await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, ...message })
    return { isSent: true, problem: null, code: null }
  } catch (error) {
    const { code, responseCode } = Object(error)
    const problem = code === 'EAUTH' ? 'login_refused' : mailCodes.includes(code) ? 'mail_refused' : 'no_mail_server'
    const isKnown = problem !== 'no_mail_server' && Number.isInteger(responseCode)
    return { isSent: false, problem, code: isKnown ? responseCode : null }
  } finally {
    transport.close()
  }
}

const mailCodes: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']
