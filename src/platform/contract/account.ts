import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { keyFields } from './keys.ts'
import { noticeChoices } from './notices.ts'
import { get, post, session, visitor } from './operation.ts'
import { ownFields } from './organisation.ts'
import { count, language, time } from './scalars.ts'
import { signInMethods } from './sign-in-methods.ts'
import { typedPassword } from './typed-secrets.ts'

/** The one shape of an account. */
export const account = named(
  'Account',
  object({
    id: string(),
    email: string(),
    emailVerified: boolean,
    name: described('As shown to others; null: their email address is shown.', nullable(string())),
    isOwner: described('Owner of the server.', boolean),
    language,
    createdAt: time,
    lastSeenAt: nullable(time),
    suspendedAt: nullable(time),
    hasTwoFactor: described('A code is required after the password.', boolean),
    hasPasskeys: boolean,
  }),
)
export type Account = Shape<typeof account>

const deviceFields = { createdAt: time, lastSeenAt: time, address: string(), userAgent: string() }
const deviceSession = named(
  'DeviceSession',
  object({ id: string(), ...deviceFields, current: described('The one that asks.', boolean) }),
)
export type DeviceSession = Shape<typeof deviceSession>

const usage = object({ requests: count, promptTokens: count, completionTokens: count })
const accountExport = object({
  account,
  signInMethods,
  notices: noticeChoices,
  sessions: array(object(deviceFields)),
  signInPlaces: described(
    'The networks that they signed in from in the last 180 days, at most 50.',
    array(object({ place: string(), seenAt: time })),
  ),
  organisations: array(
    object({
      ...ownFields,
      bodiesKeptDays: nullable(count),
      keys: array(object({ ...keyFields, usage })),
      usage,
      draft: described('Of the playground, as the site stores it; null if there is none.', nullable(string())),
      prompts: array(
        object({
          name: string(),
          isShared: boolean,
          savedAt: time,
          content: described('The last version; null if the file would become too large.', nullable(string())),
        }),
      ),
      conversations: described(
        'In the history of the playground.',
        array(
          object({
            title: string(),
            isPinned: boolean,
            savedAt: time,
            content: described('Null if the file would become too large.', nullable(string())),
          }),
        ),
      ),
    }),
  ),
})
export type AccountExport = Shape<typeof accountExport>

const passwordOrNull = optional(
  described('Needed unless the identity was confirmed just now.', nullable(typedPassword)),
)
const emailChange = object({ outcome: oneOf('mailed', 'changed') })
const mailToken = object({ token: string() })

export const accountOperations = {
  changePassword: post('/account/password', session, 'Sets the password. All other sessions end.', {
    body: object({ currentPassword: passwordOrNull, newPassword: string() }),
  }),
  changeEmail: post('/account/email', session, 'Changes the email address, by mail if the server sends any.', {
    body: object({ email: string(), password: passwordOrNull }),
    answer: emailChange,
  }),
  setLanguage: post('/account/language', session, 'Sets the language of mails.', { body: object({ language }) }),
  setProfile: post('/account/profile', session, 'Sets the name that others see.', {
    body: object({ name: nullable(string()) }),
  }),
  exportAccount: get('/account/export', session, 'Downloads everything stored about you, without secrets.', {
    answer: accountExport,
  }),
  listSessions: get('/account/sessions', session, 'Lists the devices that are signed in.', {
    answer: object({ data: array(deviceSession) }),
  }),
  revokeSession: post('/account/sessions/{session}/revoke', session, 'Signs a device out.', {}),
  deleteAccount: post('/account/delete', session, 'Deletes the account.', {
    body: object({ password: passwordOrNull }),
  }),

  requestPasswordReset: post(
    '/password-reset/request',
    visitor,
    'Sends a reset link, if there is such an account. The answer is the same either way.',
    { body: object({ email: string() }) },
  ),
  requestVerification: post(
    '/email-verification/request',
    session,
    'Sends a link that verifies the email address.',
    {},
  ),
  verifyEmail: post('/email-verification', visitor, 'Verifies an email address with the token of a link.', {
    body: mailToken,
  }),
  confirmEmailChange: post('/email-change', visitor, 'Confirms a new email address with the token of a link.', {
    body: mailToken,
  }),
}
