import { settingSources, settingsParts } from '../../config/setting.ts'
import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { account } from './account.ts'
import { key } from './keys.ts'
import { modelCapability } from './models.ts'
import { get, owner, post } from './operation.ts'
import { organisationFields, teamMember } from './organisation.ts'
import { count, decimalCount, time } from './scalars.ts'

const model = object({
  id: string(),
  createdAt: time,
  ownedBy: string(),
  contextTokens: nullable(count),
  features: array(modelCapability),
})

const engine = object({
  version: string(),
  kind: oneOf('embedded', 'upstream'),
  state: oneOf('loading', 'ready', 'stopped'),
  models: array(model),
  slots: object({ total: count, running: count, waiting: count, queueLimit: count }),
  lastMinute: object({
    requests: count,
    failed: count,
    tokensPerSecond: described('Of all answers together.', decimalCount),
    answerTokensPerSecond: described('Of one answer, from its first token.', nullable(decimalCount)),
    firstTokenMs: nullable(decimalCount),
    queueMs: nullable(decimalCount),
  }),
})
export type EngineShown = Shape<typeof engine>

const setting = object({
  name: string(),
  environmentName: string(),
  value: described('Null if it is not set, and always null for a secret.', nullable(string())),
  isSet: boolean,
  isSecret: boolean,
  default: nullable(string()),
  isDefault: boolean,
  source: described('Where the value comes from.', oneOf(...settingSources)),
  place: described('The option, the variable, or the place in the file.', nullable(string())),
  editedIn: described('Null: a change needs a restart.', nullable(oneOf(...settingsParts))),
  isFixed: described('Set on the command line or in the environment, so it cannot be changed here.', boolean),
  ignoredBecause: described('Why a saved value is not used.', nullable(string())),
  unsavedValue: described('What it would be without the saved value; null for secrets.', nullable(string())),
})
export type ShownSetting = Shape<typeof setting>
export const configuration = object({ signUp: oneOf('open', 'invitation', 'closed'), data: array(setting) })
export type ConfigurationShown = Shape<typeof configuration>

const listedOrganisation = object({
  ...organisationFields,
  suspendedAt: nullable(time),
  members: count,
  keys: described('Those that are not revoked.', count),
})
export type ListedOrganisation = Shape<typeof listedOrganisation>
const organisationDetails = object({ members: array(teamMember), keys: array(key) })

export const linkBody = object({
  kind: oneOf('invitation', 'password_reset', 'email_verification'),
  email: string(),
})
export const link = object({ url: string(), expiresAt: time })
export type Link = Shape<typeof link>
export type LinkKind = ReturnType<typeof linkBody>['kind']
export const resetTwoFactorBody = object({ email: string() })

export const serverOperations = {
  createLink: post('/admin/links', owner, 'Creates a link to hand over in another way than by mail.', {
    body: linkBody,
    answer: link,
  }),
  listAccounts: get('/admin/accounts', owner, 'Lists all accounts.', { answer: object({ data: array(account) }) }),
  resetTwoFactor: post(
    '/admin/accounts/reset-two-factor',
    owner,
    'Turns two-factor authentication off for somebody who lost the app and the recovery codes.',
    { body: resetTwoFactorBody },
  ),
  listAllOrganisations: get('/admin/organisations', owner, 'Lists all organisations.', {
    answer: object({ data: array(listedOrganisation) }),
  }),
  showOrganisation: get('/admin/organisations/{organisation}', owner, 'Lists members and keys of an organisation.', {
    answer: organisationDetails,
  }),
  suspendAccount: post('/admin/accounts/{id}/suspend', owner, 'Suspends an account at once.', {}),
  resumeAccount: post('/admin/accounts/{id}/resume', owner, 'Ends the suspension of an account.', {}),
  suspendOrganisation: post('/admin/organisations/{id}/suspend', owner, 'Suspends an organisation at once.', {}),
  resumeOrganisation: post('/admin/organisations/{id}/resume', owner, 'Ends the suspension of an organisation.', {}),
  suspendKey: post('/admin/keys/{id}/suspend', owner, 'Suspends a key at once.', {}),
  resumeKey: post('/admin/keys/{id}/resume', owner, 'Ends the suspension of a key.', {}),
  showEngine: get('/admin/engine', owner, 'Shows the model, its load and its recent speed.', { answer: engine }),
  showConfiguration: get('/admin/configuration', owner, 'Shows the settings, without secrets.', {
    answer: configuration,
  }),
}
