import type { LanguageCode } from '../../../languages/language.ts'
import { ApiError } from '../../base/api-error.ts'
import { checkName } from '../../base/check-name.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { toNetwork } from '../../base/to-network.ts'
import type { Config } from '../../config/settings.ts'
import type { NewAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { FirstProof } from '../../store/sign-in-proof.ts'
import type { ShownInvitation } from '../../store/team-contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { accountEvent } from '../audit-event.ts'
import { checkEmail } from '../email/check-email.ts'
import { invalidLink } from '../email/one-time-links.ts'
import { checkPassword } from '../passwords/check-password.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { createIdentityRecord } from '../providers/identities.ts'
import type { Identity } from '../providers/provider.ts'
import { hashToken } from '../secrets/secret-token.ts'
import type { Sessions, SignedIn, Visitor } from '../sessions/sessions.ts'
import { type Invitations, invitationError, joinedEvent, type SentInvitation } from '../teams/invitations.ts'

type AcceptedInvitation = { to: SentInvitation['to']; hash: Uint8Array; shown: ShownInvitation | null }

type NewUser = { email: string; password: string; language: LanguageCode }

type SignUpDependencies = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  hasher: PasswordHasher
  sessions: Pick<Sessions, 'open'>
  invitations: Pick<Invitations, 'find'>
  settings: Pick<Config, 'signUp' | 'signUpsPerHour'>
  createLimit: CreateAttemptLimit
}

export interface SignUp {
  /** What a visitor may do: `setup` until the server has an owner. */
  state(): Promise<'setup' | Config['signUp']>
  /** Creates the owner of a new server, by the link that is printed at startup. */
  claim(token: string, user: NewUser, visitor: Visitor): Promise<SignedIn>
  create(user: NewUser, invitation: SentInvitation | null, visitor: Visitor): Promise<SignedIn>
  /** With an identity at a provider instead of a password. */
  createWithIdentity(
    user: Omit<NewUser, 'password'> & { identity: Identity },
    invitation: SentInvitation | null,
    visitor: Visitor,
  ): Promise<SignedIn>
}

const hourMs = 3_600_000

export const createSignUp = (dependencies: SignUpDependencies): SignUp => {
  const { store, clock, hasher, sessions, invitations, settings } = dependencies
  const limit = dependencies.createLimit('sign-up', () => ({ max: settings.signUpsPerHour, perMs: hourMs }))

  const state: SignUp['state'] = async () => ((await store.accounts.isClaimed()) ? settings.signUp : 'setup')

  const requireOpen = async (invitation: SentInvitation | null): Promise<void> => {
    const current = await state()
    if (current === 'setup' || current === 'closed') throw ApiError.of('sign_up_closed', {})
    if (current === 'invitation' && invitation === null) throw ApiError.of('invitation_needed', {})
  }

  /** Refused before a password is hashed for it; used up later, together with the account. */
  const checkInvitation = async (sent: SentInvitation | null): Promise<AcceptedInvitation | null> => {
    if (sent === null) return null
    const { to, token } = sent
    const hash = hashToken(token)
    if (to === 'organisation') return { to, hash, shown: await invitations.find(token) }
    if ((await store.links.find('invitation', hash, clock.now())) === null) throw invitationError('unknown')
    return { to, hash, shown: null }
  }

  const prepare = ({ email: text, language }: Omit<NewUser, 'password'>): Omit<NewAccount, 'passwordHash'> => {
    const { localPart, ...email } = checkEmail(text)
    return { id: newId('usr'), ...email, language, createdAt: clock.now(), organisationName: localPart }
  }

  const insert = async (
    account: NewAccount,
    invitation: AcceptedInvitation | null,
    visitor: Visitor,
  ): Promise<SignedIn> => {
    const by = { accountId: account.id, address: visitor.address }
    const created = accountEvent('account.created', by, account.createdAt, { invited: invitation?.to ?? null })
    const joined = invitation?.to === 'organisation' ? [joinedEvent(by, invitation.shown, account.createdAt)] : []
    const link = invitation === null ? null : { to: invitation.to, hash: invitation.hash }
    const outcome = await store.accounts.create(account, newId('org'), link, created, ...joined)
    if (outcome === 'email_taken') throw ApiError.of('email_taken', {}, { param: 'email' })
    if (outcome === 'unclaimed') throw ApiError.of('sign_up_closed', {})
    if (outcome !== 'created') throw invitationError(outcome)
    return signIn(account, visitor)
  }

  const signIn = async (account: NewAccount, visitor: Visitor): Promise<SignedIn> => {
    const known = await store.accounts.find(account.id)
    const proof = { first: chooseFirstProof(account), second: null, challengeHash: null }
    const signedIn = known === null ? null : await sessions.open(known, proof, visitor, 'sign_up')
    if (signedIn === null) throw ApiError.of('not_signed_in', {})
    return signedIn
  }

  return {
    state,
    async claim(token, user, visitor) {
      checkCredentials(user)
      const linkHash = hashToken(token)
      // Checked before the password is hashed; used up only with the account.
      if ((await store.links.find('setup', linkHash, clock.now())) === null) throw invalidLink()
      const account = { ...prepare(user), passwordHash: await hasher.hash(user.password) }
      const event = accountEvent('server.claimed', { accountId: account.id, address: visitor.address }, clock.now())
      if ((await store.accounts.claim(linkHash, account, event)) !== 'claimed') throw invalidLink()
      return signIn(account, visitor)
    },
    async create(user, sent, visitor) {
      await requireOpen(sent)
      checkCredentials(user)
      const invitation = await checkInvitation(sent)
      await limit.consume(toNetwork(visitor.address))
      return insert({ ...prepare(user), passwordHash: await hasher.hash(user.password) }, invitation, visitor)
    },
    async createWithIdentity({ identity, ...user }, sent, visitor) {
      await requireOpen(sent)
      const invitation = await checkInvitation(sent)
      await limit.consume(toNetwork(visitor.address))
      const account = prepare(user)
      const from = {
        identity: createIdentityRecord(identity, account.id, account.createdAt),
        emailVerified: identity.emailVerified,
        name: readName(identity.name),
      }
      return insert({ ...account, passwordHash: null, from }, invitation, visitor)
    },
  }
}

const checkCredentials = ({ email, password }: NewUser): void =>
  checkPassword(password, checkEmail(email).emailKey, 'password')

const chooseFirstProof = ({ passwordHash, from }: NewAccount): FirstProof => {
  if (passwordHash !== null) return { kind: 'password', hash: passwordHash }
  const { issuer = '', subject = '' } = from?.identity ?? {}
  return { kind: 'identity', issuer, subject }
}

/** A provider may return any text as a name; it is dropped unless it is valid here. */
const readName = (text: string | null): string | null => {
  const checked = text === null ? null : checkName(text)
  return checked?.outcome === 'accepted' ? checked.name : null
}
