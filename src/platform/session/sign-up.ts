import type { Accounts } from '../../accounts/accounts.ts'
import { auditActorOf } from '../../accounts/actor.ts'
import type { SignedIn } from '../../accounts/sessions/sessions.ts'
import type { SentInvitation } from '../../accounts/teams/invitations.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { visitorOf } from '../../session/session-cookies.ts'
import type { Language } from '../../store/account-contract.ts'
import { reaches } from '../../store/decide-member-change.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { memberKeyJson } from '../keys/key-json.ts'
import { sendSignedIn } from './handler.ts'

type SignUpRooms = { accounts: Accounts; keys: KeyRegistry }

export const language = oneOf('en', 'ja')
const person = { email: string(), password: string(), language: optional(language) }
const setupBody = object({ ...person, token: string() })
const signUpBody = object({
  ...person,
  /** To the server. */
  invitation: optional(nullable(string())),
  /** To an organisation. */
  join: optional(nullable(string())),
})

/** `POST /platform/setup`: the first account of a new server. */
export const createSetup =
  (rooms: SignUpRooms) =>
  async (exchange: Exchange): Promise<void> => {
    const { token, language = 'en', ...body } = await readJson(exchange, bodyLimitBytes, setupBody)
    const signedIn = await rooms.accounts.signUp.claim(token, { ...body, language }, visitorOf(exchange))
    await welcome(exchange, signedIn, rooms)
  }

/** `POST /platform/sign-up` */
export const createSignUpHandler =
  (rooms: SignUpRooms) =>
  async (exchange: Exchange): Promise<void> => {
    const body = await readJson(exchange, bodyLimitBytes, signUpBody)
    const { invitation = null, join = null, language = 'en', ...rest } = body
    const sent = sentInvitation(invitation, join)
    const signedIn = await rooms.accounts.signUp.create({ ...rest, language }, sent, visitorOf(exchange))
    await welcome(exchange, signedIn, rooms)
  }

export const sentInvitation = (invitation: string | null, join: string | null): SentInvitation | null => {
  if (join !== null) return { to: 'organisation', token: join }
  return invitation === null ? null : { to: 'server', token: invitation }
}

const firstKeyName: Record<Language, string> = { en: 'First key', ja: '最初のキー' }

/** With the first key, whose secret is in this answer and in no other; without one where the role allows none, or more is asked for first. */
export const welcome = async (
  exchange: Exchange,
  signedIn: SignedIn,
  { accounts, keys }: SignUpRooms,
): Promise<void> => {
  const { account, organisation } = signedIn
  accounts.mail.welcome(account)
  const organisations = await accounts.teams.organisations(account.id)
  const role = organisations.find(({ id }) => id === organisation.id)?.role
  const { secondFactorRequired } = await accounts.organisationRule.find(organisation.id)
  if (role === undefined || !reaches(role, abilities.makeKeys.least) || secondFactorRequired)
    return sendSignedIn(exchange, signedIn, { firstKey: null })
  const name = firstKeyName[account.language]
  const by = auditActorOf({ accountId: account.id, address: exchange.origin.clientAddress })
  const made = await keys.by(by).create({ name, organisationId: organisation.id, createdBy: account.id })
  if (made.outcome === 'refused') throw new Error(`the first key was refused: ${made.reason}`)
  const shown = memberKeyJson(made.record, new Map([[account.id, account.email]]))
  sendSignedIn(exchange, signedIn, { firstKey: { ...shown, key: made.key } })
}
