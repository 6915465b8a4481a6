import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { account } from './account.ts'
import { newKey } from './keys.ts'
import { usableModel } from './models.ts'
import { anyone, get, post, session as signedIn, visitor } from './operation.ts'
import { activeOrganisation, organisation, ownOrganisation } from './organisation.ts'
import { count, language, time } from './scalars.ts'
import { typedCode, typedPassword } from './typed-secrets.ts'

const session = named(
  'Session',
  object({
    account: described('Null if nobody is signed in.', nullable(account)),
    organisation: nullable(activeOrganisation),
    organisations: described('All that the person belongs to.', array(ownOrganisation)),
    suspended: described('Somebody is signed in, but the account is suspended.', boolean),
    signUp: oneOf('setup', 'open', 'invitation', 'closed'),
    mail: described('Whether the server sends mail.', boolean),
    providers: array(object({ id: string(), name: string() })),
    passkeys: described('Whether passkeys work at the address of the server.', boolean),
    csrfToken: described('To be sent as `x-csrf-token` with every POST.', string()),
    baseUrl: described('Base URL of the API; ends in `/v1`.', string()),
    model: described('The default model.', string()),
    models: described(
      'Those for the playground, the default model first. Empty if nobody is signed in.',
      array(usableModel),
    ),
    currency: described('ISO 4217 code of the currency of all costs.', string()),
    hasPrices: described('Whether any model has a price. If not, pages show no costs.', boolean),
    version: string(),
  }),
)
export type Session = Shape<typeof session>

const signedInFields = { account, organisation }
export const signedInAnswer = object(signedInFields)
export type SignedIn = Shape<typeof signedInAnswer>

const signedUp = object({
  ...signedInFields,
  firstKey: described('Null if the role or the rules of the organisation allow none yet.', nullable(newKey)),
})
export type SignedUp = Shape<typeof signedUp>

const entryFields = {
  account: nullable(account),
  organisation: nullable(organisation),
  secondStep: optional(
    described(
      'Present if a code is required to complete the sign-in.',
      object({ token: string(), expiresAt: time, hasPasskeys: boolean }),
    ),
  ),
}
/** Signed in, or asked for a code first. */
const entry = object(entryFields)
export type Entered = Shape<typeof entry>

const providerEntry = object({
  ...entryFields,
  next: optional(described('The page to go on to.', nullable(string()))),
  firstKey: optional(described('Present for a new account.', nullable(newKey))),
})

const person = { email: string(), password: string(), language: optional(language) }
const invitations = {
  invitation: optional(described('To the server.', nullable(string()))),
  join: optional(described('To an organisation.', nullable(string()))),
}

const redirect = object({ url: described('Where the browser goes to sign in.', string()) })
const part = string({ maxLength: 8_192 })
const providerReply = object({ state: part, code: optional(nullable(part)), error: optional(nullable(part)) })

export const signInOperations = {
  showSession: get('/session', anyone, 'Shows who is signed in, and what a page needs to start.', { answer: session }),
  setUp: post('/setup', visitor, 'Creates the first account of a new server with the token that it printed.', {
    body: object({ ...person, token: string() }),
    answer: signedUp,
  }),
  signUp: post('/sign-up', visitor, 'Creates an account and its first key.', {
    body: object({ ...person, ...invitations }),
    answer: signedUp,
  }),
  signIn: post('/sign-in', visitor, 'Signs in with a password.', {
    body: object({ email: string(), password: typedPassword }),
    answer: entry,
  }),
  finishSignIn: post('/sign-in/code', visitor, 'Completes a sign-in with a code of the app, or a recovery code.', {
    body: object({ token: string(), code: typedCode }),
    answer: object({
      ...signedInFields,
      recoveryCodesLeft: described('Null if no recovery code was used.', nullable(count)),
    }),
  }),
  resetPassword: post('/password-reset', visitor, 'Sets a new password with the token of a reset link.', {
    body: object({ token: string(), password: string() }),
    answer: entry,
  }),
  signOut: post('/sign-out', signedIn, 'Ends the session.', {}),

  beginAtProvider: post('/sign-in/providers/{provider}/begin', visitor, 'Starts a sign-in at another service.', {
    body: object({
      language: optional(language),
      ...invitations,
      next: optional(nullable(string({ maxLength: 200 }))),
    }),
    answer: redirect,
  }),
  finishAtProvider: post(
    '/sign-in/providers/{provider}/finish',
    visitor,
    'Completes a sign-in with what the other service sent back.',
    { body: providerReply, answer: providerEntry },
  ),
  beginConnect: post('/account/identities/{provider}/begin', signedIn, 'Starts connecting another service.', {
    answer: redirect,
  }),
  finishConnect: post('/account/identities/{provider}/finish', signedIn, 'Connects another service.', {
    body: providerReply,
  }),
  disconnect: post('/account/identities/{identity}/remove', signedIn, 'Disconnects another service.', {}),
}
