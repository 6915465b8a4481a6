import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { type MailTrial, type TriedMail, tryMail } from './try-mail.ts'

const hourMs = 3_600_000

/** Mails that the owner of the server sends to themselves, to see whether the mail server accepts them. */
export const createMailTrials = (createLimit: CreateAttemptLimit) => {
  const limit = createLimit('test-mail', { max: 30, perMs: hourMs })
  return {
    async send(accountId: string, mail: TriedMail): Promise<MailTrial> {
      await limit.consume(accountId)
      return tryMail(mail)
    },
  }
}
