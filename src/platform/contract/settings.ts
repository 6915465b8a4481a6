import { mailProblems } from '../../accounts/email/mail-problems.ts'
import { nullable, object, optional, record } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../http/schema/schema.ts'
import { owner, post } from './operation.ts'
import { count } from './scalars.ts'
import { configuration } from './server.ts'

/** Each setting reads its own. */
const value: Schema<unknown> = schema({}, (sent) => sent)

const saveBody = object({
  changes: described(
    'Values by the name of the setting, as in `helix.config.json`. Null: what was saved is removed.',
    record(value, { maxEntries: 100 }),
  ),
  were: optional(
    described(
      'What the caller was shown as the values of settings to be changed. If another owner has changed one since, nothing is saved.',
      record(nullable(string()), { maxEntries: 100 }),
    ),
  ),
})

const mailTrial = object({
  isSent: boolean,
  problem: described(
    'Why it was not sent: no mail server answered, it refused the login, or it refused the mail.',
    nullable(oneOf(...mailProblems)),
  ),
  code: described('With which the mail server refused it.', nullable(count)),
  to: string(),
})

export const settingOperations = {
  saveSettings: post('/admin/settings', owner, 'Changes settings while the server runs.', {
    body: saveBody,
    answer: configuration,
  }),
  sendTestMail: post(
    '/admin/settings/test-mail',
    owner,
    'Sends a mail to the caller, with the current or with other settings.',
    {
      body: object({
        smtpUrl: optional(described('Instead of the current one. It is not saved.', string())),
        mailFrom: optional(string()),
      }),
      answer: mailTrial,
    },
  ),
}
