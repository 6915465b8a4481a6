import type { Accounts } from '../../accounts/accounts.ts'
import { toAuditActor } from '../../accounts/actor.ts'
import type { SignedIn } from '../../accounts/sessions/sessions.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { serverWords } from '../../languages/words.ts'
import { reaches } from '../../store/decide-member-change.ts'
import type { NewKey } from '../contract/keys.ts'
import type { SignedUp } from '../contract/sign-in.ts'
import { keyJson } from '../keys/key-json.ts'
import { startSession } from './start-session.ts'

export type WelcomeDependencies = {
  accounts: Pick<Accounts, 'mail' | 'teams' | 'organisationRule'>
  keys: Pick<KeyRegistry, 'by'>
}

/** The session of a new account, with its first key. */
export const welcome = async (
  exchange: Exchange,
  signedIn: SignedIn,
  dependencies: WelcomeDependencies,
): Promise<SignedUp> => {
  dependencies.accounts.mail.welcome(signedIn.account)
  const firstKey = await createFirstKey(exchange, signedIn, dependencies)
  return { ...startSession(exchange, signedIn), firstKey }
}

/** Null if the role allows no key, or the organisation requires a second factor first. */
const createFirstKey = async (
  exchange: Exchange,
  { account, organisation }: SignedIn,
  { accounts, keys }: WelcomeDependencies,
): Promise<NewKey | null> => {
  const organisations = await accounts.teams.organisations(account.id)
  const role = organisations.find(({ id }) => id === organisation.id)?.role
  const { secondFactorRequired } = await accounts.organisationRule.find(organisation.id)
  if (role === undefined || !reaches(role, abilities.makeKeys.least) || secondFactorRequired) return null
  const name = serverWords(account.language).firstKeyName
  const by = toAuditActor({ accountId: account.id, address: exchange.origin.clientAddress })
  const created = await keys.by(by).create({ name, organisationId: organisation.id, createdBy: account.id })
  if (created.outcome === 'refused') throw new Error(`the first key was refused: ${created.reason}`)
  return { ...keyJson(created.record, new Map([[account.id, account.email]])), key: created.key }
}
