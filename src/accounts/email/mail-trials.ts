import type { Clock } from '../../base/clock.ts'
import type { AuditActor, AuditRecords } from '../../store/audit-contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { auditEvent } from '../audit-event.ts'
import { type MailTrial, type TriedMail, tryMail } from './try-mail.ts'

type MailTrialsDependencies = {
  createLimit: CreateAttemptLimit
  store: { readonly audit: Pick<AuditRecords, 'record'> }
  clock: Clock
}

const minuteMs = 60_000

/**
 * Mails that the owner of the server sends to themselves, to see whether the mail server accepts them. Few at a time and in the audit
 * log, because the server connects to any address for it, those of its own network included.
 */
export const createMailTrials = ({ createLimit, store, clock }: MailTrialsDependencies) => {
  const limit = createLimit('test-mail', { max: 5, perMs: minuteMs })
  return {
    async send(by: AuditActor, accountId: string, mail: TriedMail): Promise<MailTrial> {
      await limit.consume(accountId)
      const trial = await tryMail(mail)
      const target = { kind: 'setting', id: 'smtpUrl', name: 'smtpUrl' } as const
      const outcome = trial.problem === null ? { isSent: true } : { problem: trial.problem }
      const details = { host: URL.parse(mail.smtpUrl)?.host ?? '', ...outcome }
      await store.audit.record(auditEvent('setting.mail_tried', by, clock.now(), { target, details }))
      return trial
    },
  }
}
