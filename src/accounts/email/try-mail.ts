import { createTransport } from 'nodemailer'
import { createRedactor } from '../../base/create-redactor.ts'
import { decoded } from '../../config/list-secrets.ts'
import type { MailMessage } from './mail-messages.ts'
import { transportOptions } from './mailer.ts'

export type TriedMail = { smtpUrl: string; mailFrom: string; to: string; message: MailMessage }

/** `answer`: the last line of the mail server, or why there is none. Without the password. */
export type MailTrial = { isSent: boolean; answer: string }

const maxAnswerChars = 500

/** Sends one mail, and waits for what the mail server says about it. */
export const tryMail = async ({ smtpUrl, mailFrom, to, message }: TriedMail): Promise<MailTrial> => {
  const redact = createRedactor(credentialsIn(smtpUrl))
  const clean = (text: string): string => redact(text).slice(0, maxAnswerChars)
  const transport = createTransport({ url: smtpUrl, ...transportOptions })
  try {
    const { response } = await transport.sendMail({ from: mailFrom, to: { name: '', address: to }, ...message })
    return { isSent: true, answer: clean(String(response)) }
  } catch (error) {
    const { response, message: reason } = Object(error)
    return { isSent: false, answer: clean(String(response ?? reason ?? '')) }
  } finally {
    transport.close()
  }
}

/** Servers may repeat them, plain or in the form of AUTH PLAIN. */
const credentialsIn = (smtpUrl: string): string[] => {
  const { username = '', password = '' } = URL.parse(smtpUrl) ?? {}
  const secret = decoded(password)
  const plain = Buffer.from(`\0${decoded(username)}\0${secret}`).toString('base64')
  return password === '' ? [] : [password, secret, plain, Buffer.from(secret).toString('base64')]
}
