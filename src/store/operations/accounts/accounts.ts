import type { LanguageCode } from '../../../../languages/language.ts'
import type { AccountRecord, CreateOutcome, Invitation, KnownAccount, NewAccount } from '../../account-contract.ts'
import type { Role } from '../../team-contract.ts'
import { deleteText } from '../delete-text.ts'
import { firstOrganisation } from '../organisations/organisations.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { insertIdentity } from '../sign-in/insert-identity.ts'
import { consumeInvitation } from '../teams/accept-invitation.ts'
import { addMember } from '../teams/memberships.ts'
import { isEmailTaken } from './emails.ts'
import { isClaimed } from './is-claimed.ts'
import { consumeLink } from './links.ts'

export const accountColumns = `accounts.id AS account_id, accounts.email, email_verified_at, accounts.name AS account_name,
  is_owner, language, accounts.created_at AS account_created_at, accounts.last_seen_at AS account_last_seen_at,
  accounts.suspended_at AS account_suspended_at,
  EXISTS (SELECT 1 FROM credentials WHERE account_id = accounts.id AND kind = 'password') AS has_password,
  EXISTS (SELECT 1 FROM totp_factors WHERE account_id = accounts.id AND confirmed_at IS NOT NULL) AS has_totp,
  EXISTS (SELECT 1 FROM passkeys WHERE account_id = accounts.id) AS has_passkeys`

export const organisationColumns = `organisations.id AS organisation_id, organisations.name AS organisation_name,
  organisations.created_at AS organisation_created_at`

export function* claimServer(linkHash: Uint8Array, account: NewAccount): Query<'claimed' | 'invalid_link'> {
  if ((yield* isClaimed()) || (yield* consumeLink('setup', linkHash, account.createdAt)) === null) return 'invalid_link'
  const { id } = yield* firstOrganisation()
  yield* deleteText(run('UPDATE organisations SET name = ? WHERE id = ?', account.organisationName, id))
  yield* insertAccount(account, { organisationId: id, role: 'owner' }, true)
  return 'claimed'
}

export function* createAccount(
  account: NewAccount,
  organisationId: string,
  invitation: Invitation | null,
): Query<CreateOutcome> {
  if (!(yield* isClaimed())) return 'unclaimed'
  // Before the link is consumed, so that it can be used again with another email.
  if (yield* isEmailTaken(account.emailSpellings, account.id)) return 'email_taken'
  const { createdAt } = account
  if (invitation?.to === 'organisation') {
    const taken = yield* consumeInvitation(invitation.hash, createdAt)
    if (taken.outcome !== 'taken') return taken.outcome
    yield* insertAccount(account, taken, false)
    return 'created'
  }
  if (invitation !== null && (yield* consumeLink('invitation', invitation.hash, createdAt)) === null) return 'unknown'
  yield* run(
    'INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)',
    organisationId,
    account.organisationName,
    createdAt,
  )
  yield* insertAccount(account, { organisationId, role: 'owner' }, false)
  return 'created'
}

function* insertAccount(
  account: NewAccount,
  { organisationId, role }: { organisationId: string; role: Role },
  isOwner: boolean,
): Query<void> {
  const { id, email, emailKey, language, createdAt, passwordHash, from } = account
  const verifiedAt = from?.emailVerified === true ? createdAt : null
  yield* run(
    `INSERT INTO accounts (id, email, email_key, email_verified_at, name, is_owner, language, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    email,
    emailKey,
    verifiedAt,
    from?.name ?? null,
    isOwner ? 1 : 0,
    language,
    createdAt,
  )
  if (from && !(yield* insertIdentity(from.identity))) throw new Error('the identity belongs to somebody already')
  if (passwordHash !== null)
    yield* run("INSERT INTO credentials (account_id, kind, secret) VALUES (?, 'password', ?)", id, passwordHash)
  yield* addMember({ accountId: id, organisationId, role, now: createdAt })
}

/** A member of several organisations starts in the one joined first that is not suspended. */
const knownAccount = `SELECT ${accountColumns}, ${organisationColumns}, secret FROM accounts
  LEFT JOIN credentials ON credentials.account_id = accounts.id AND kind = 'password'
  JOIN memberships ON memberships.account_id = accounts.id
  JOIN organisations ON organisations.id = memberships.organisation_id`

const firstFirst = 'ORDER BY organisations.suspended_at IS NOT NULL, memberships.rowid LIMIT 1'

export function* findAccount(id: string): Query<KnownAccount | null> {
  return toKnownAccount(yield* first(`${knownAccount} WHERE accounts.id = ? ${firstFirst}`, id))
}

export function* findAccountByEmail(emailSpellings: readonly string[]): Query<KnownAccount | null> {
  for (const emailKey of emailSpellings) {
    const known = toKnownAccount(yield* first(`${knownAccount} WHERE email_key = ? ${firstFirst}`, emailKey))
    if (known !== null) return known
  }
  return null
}

export function* listAccounts(): Query<AccountRecord[]> {
  return (yield* all(`SELECT ${accountColumns} FROM accounts ORDER BY rowid`)).map(accountRecord)
}

export function* setLanguage(id: string, language: LanguageCode): Query<void> {
  yield* run('UPDATE accounts SET language = ? WHERE id = ?', language, id)
}

export function* setName(id: string, name: string | null): Query<boolean> {
  const rename = 'UPDATE accounts SET name = $name WHERE id = $id AND name IS DISTINCT FROM $name'
  return (yield* deleteText(run(rename, { id, name }))) === 1
}

const toKnownAccount = (row: Row | undefined): KnownAccount | null =>
  row === undefined
    ? null
    : { account: accountRecord(row), organisation: joinedOrganisation(row), passwordHash: textOrNull(row, 'secret') }

export const accountRecord = (row: Row): AccountRecord => ({
  id: text(row, 'account_id'),
  email: text(row, 'email'),
  emailVerified: integerOrNull(row, 'email_verified_at') !== null,
  name: textOrNull(row, 'account_name'),
  hasPassword: integer(row, 'has_password') === 1,
  hasTotp: integer(row, 'has_totp') === 1,
  hasPasskeys: integer(row, 'has_passkeys') === 1,
  isOwner: integer(row, 'is_owner') === 1,
  language: text(row, 'language'),
  createdAt: integer(row, 'account_created_at'),
  lastSeenAt: integerOrNull(row, 'account_last_seen_at'),
  suspendedAt: integerOrNull(row, 'account_suspended_at'),
})

export const joinedOrganisation = (row: Row) => ({
  id: text(row, 'organisation_id'),
  name: text(row, 'organisation_name'),
  createdAt: integer(row, 'organisation_created_at'),
})
