import { ApiError } from '../../base/api-error.ts'
import { checkName } from '../../base/check-name.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { networkOf } from '../../base/network-of.ts'
import type { Language, NewAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import { invitationEnd } from '../../store/invitation-end.ts'
import type { FirstProof } from '../../store/sign-in-contract.ts'
import type { ShownInvitation } from '../../store/team-contract.ts'
import { accountEvent } from '../account-event.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import { checkEmail } from '../email/check-email.ts'
import { checkPassword } from '../passwords/check-password.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Identity } from '../providers/provider.ts'
import { hashToken } from '../secrets/secret-token.ts'
import type { Sessions, SignedIn, Visitor } from '../sessions/sessions.ts'
import { invitationOver, joinedEvent } from '../teams/invitations.ts'

export type SignUpMode = 'open' | 'invitation' | 'closed'

type NewPerson = { email: string; password: string; language: Language }

/** To the server, made by its owner; or to an organisation that is there. */
export type SentInvitation = { to: 'server' | 'organisation'; token: string }

type Invited = { to: SentInvitation['to']; hash: Uint8Array; shown: ShownInvitation | null }

type SignUpRooms = {
  store: Pick<Store, 'accounts' | 'links' | 'invitations'>
  clock: Clock
  hasher: PasswordHasher
  sessions: Sessions
  signUp: SignUpMode
  signUpsPerHour: number
}

export interface SignUp {
  /** What a visitor may do: `setup` until the server has an owner. */
  state(): Promise<'setup' | SignUpMode>
  /** Becomes the owner of a new server, by the link that was printed at its start. */
  claim(token: string, person: NewPerson, visitor: Visitor): Promise<SignedIn>
  create(person: NewPerson, invitation: SentInvitation | null, visitor: Visitor): Promise<SignedIn>
  /** By another place's word for who it is, without a password. */
  createFrom(
    person: Omit<NewPerson, 'password'> & { identity: Identity },
    invitation: SentInvitation | null,
    visitor: Visitor,
  ): Promise<SignedIn>
}

const hourMs = 3_600_000

export const createSignUp = (rooms: SignUpRooms): SignUp => {
  const { store, clock, hasher, sessions } = rooms
  const limit = createAttemptLimit({ most: rooms.signUpsPerHour, perMs: hourMs }, clock)

  const state: SignUp['state'] = async () => ((await store.accounts.isClaimed()) ? rooms.signUp : 'setup')

  /** A link that leads nowhere is refused before a password is hashed for it; it is used up only later, with the account. */
  const requireLink = async (kind: 'setup' | 'invitation', token: string): Promise<Uint8Array> => {
    const hash = hashToken(token)
    if ((await store.links.find(kind, hash, clock.now())) === null)
      throw kind === 'setup' ? invalidLink() : invitationOver('unknown')
    return hash
  }

  const requireInvitation = async ({ to, token }: SentInvitation): Promise<Invited> => {
    if (to === 'server') return { to, hash: await requireLink('invitation', token), shown: null }
    const hash = hashToken(token)
    const shown = await store.invitations.find(hash)
    const end = shown === null ? 'unknown' : invitationEnd(shown, clock.now())
    if (end !== null) throw invitationOver(end)
    return { to, hash, shown }
  }

  const prepare = ({ email: text, language }: Omit<NewPerson, 'password'>): Omit<NewAccount, 'passwordHash'> => {
    const { email, emailKey, localPart } = checkEmail(text)
    return { id: newId('usr'), email, emailKey, language, createdAt: clock.now(), organisationName: localPart }
  }

  const signIn = async (account: NewAccount, visitor: Visitor): Promise<SignedIn> => {
    const known = await store.accounts.find(account.id)
    const { issuer = '', subject = '' } = account.from?.identity ?? {}
    const first: FirstProof =
      account.passwordHash === null
        ? { kind: 'identity', issuer, subject }
        : { kind: 'password', hash: account.passwordHash }
    const proof = { first, second: null, challengeHash: null }
    const signedIn = known === null ? null : await sessions.open(known, proof, visitor, 'sign_up')
    if (signedIn === null) throw ApiError.of('not_signed_in', {})
    return signedIn
  }

  const requireOpen = async (invitation: SentInvitation | null): Promise<void> => {
    const mode = await state()
    if (mode === 'setup' || mode === 'closed') throw ApiError.of('sign_up_closed', {})
    if (mode === 'invitation' && invitation === null) throw ApiError.of('invitation_needed', {})
  }

  const add = async (account: NewAccount, invited: Invited | null, visitor: Visitor): Promise<SignedIn> => {
    const by = { accountId: account.id, address: visitor.address }
    const created = accountEvent('account.created', by, account.createdAt, { invited: invited?.to ?? null })
    const joined = invited?.to === 'organisation' ? [joinedEvent(by, invited.shown, account.createdAt)] : []
    const link = invited === null ? null : { to: invited.to, hash: invited.hash }
    const outcome = await store.accounts.create(account, newId('org'), link, created, ...joined)
    if (outcome === 'email_taken') throw ApiError.of('email_taken', {}, { param: 'email' })
    if (outcome === 'unclaimed') throw ApiError.of('sign_up_closed', {})
    if (outcome !== 'created') throw invitationOver(outcome)
    return signIn(account, visitor)
  }

  return {
    state,
    async claim(token, person, visitor) {
      checkPerson(person)
      const linkHash = await requireLink('setup', token)
      const account = { ...prepare(person), passwordHash: await hasher.hash(person.password) }
      const event = accountEvent('server.claimed', { accountId: account.id, address: visitor.address }, clock.now())
      if ((await store.accounts.claim(linkHash, account, event)) !== 'claimed') throw invalidLink()
      return signIn(account, visitor)
    },
    async create(person, invitation, visitor) {
      await requireOpen(invitation)
      checkPerson(person)
      const invited = invitation === null ? null : await requireInvitation(invitation)
      limit.take(networkOf(visitor.address))
      return add({ ...prepare(person), passwordHash: await hasher.hash(person.password) }, invited, visitor)
    },
    async createFrom({ identity, ...person }, invitation, visitor) {
      await requireOpen(invitation)
      const invited = invitation === null ? null : await requireInvitation(invitation)
      limit.take(networkOf(visitor.address))
      const account = prepare(person)
      const { issuer, subject, email, emailVerified, name } = identity
      const { id: accountId, createdAt } = account
      const record = { id: newId('idn'), accountId, issuer, subject, email, createdAt, lastUsedAt: null }
      const from = { identity: record, emailVerified, name: nameOf(name) }
      return add({ ...account, passwordHash: null, from }, invited, visitor)
    },
  }
}

const checkPerson = ({ email, password }: NewPerson): void =>
  checkPassword(password, checkEmail(email).emailKey, 'password')

/** What another place calls somebody may be anything; here it has to be one honest line. */
const nameOf = (text: string | null): string | null => {
  const checked = text === null ? null : checkName(text)
  return checked?.outcome === 'accepted' ? checked.name : null
}

const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })
