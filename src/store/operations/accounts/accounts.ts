import type { DatabaseSync } from 'node:sqlite'
import type {
  AccountRecord,
  CreateOutcome,
  Invitation,
  KnownAccount,
  Language,
  NewAccount,
} from '../../account-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { Role } from '../../team-contract.ts'
import { firstOrganisation } from '../organisations/organisations.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { insertIdentity } from '../sign-in/insert-identity.ts'
import { consumeInvitation } from '../teams/accept-invitation.ts'
import { addMember } from '../teams/memberships.ts'
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

export const claimServer = (
  db: DatabaseSync,
  linkHash: Uint8Array,
  account: NewAccount,
): 'claimed' | 'invalid_link' => {
  if (isClaimed(db) || consumeLink(db, 'setup', linkHash, account.createdAt) === null) return 'invalid_link'
  const { id } = firstOrganisation(db)
  prepared(db, 'UPDATE organisations SET name = ? WHERE id = ?').run(account.organisationName, id)
  insertAccount(db, account, { organisationId: id, role: 'owner' }, true)
  return 'claimed'
}

export const createAccount = (
  db: DatabaseSync,
  account: NewAccount,
  organisationId: string,
  invitation: Invitation | null,
): CreateOutcome => {
  if (!isClaimed(db)) return 'unclaimed'
  // Before the link is used up: who chose a taken email may try again with another.
  if (prepared(db, 'SELECT 1 FROM accounts WHERE email_key = ?').get(account.emailKey) !== undefined)
    return 'email_taken'
  const { createdAt } = account
  if (invitation?.to === 'organisation') {
    const taken = consumeInvitation(db, invitation.hash, createdAt)
    if (taken.outcome !== 'taken') return taken.outcome
    insertAccount(db, account, taken, false)
    return 'created'
  }
  if (invitation !== null && consumeLink(db, 'invitation', invitation.hash, createdAt) === null) return 'unknown'
  prepared(db, 'INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)').run(
    organisationId,
    account.organisationName,
    createdAt,
  )
  insertAccount(db, account, { organisationId, role: 'owner' }, false)
  return 'created'
}

const insertAccount = (
  db: DatabaseSync,
  account: NewAccount,
  { organisationId, role }: { organisationId: string; role: Role },
  isOwner: boolean,
): void => {
  const { id, email, emailKey, language, createdAt, passwordHash, from } = account
  const verifiedAt = from?.emailVerified === true ? createdAt : null
  prepared(
    db,
    `INSERT INTO accounts (id, email, email_key, email_verified_at, name, is_owner, language, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, email, emailKey, verifiedAt, from?.name ?? null, isOwner ? 1 : 0, language, createdAt)
  if (from && !insertIdentity(db, from.identity)) throw new Error('the identity belongs to somebody already')
  if (passwordHash !== null)
    prepared(db, "INSERT INTO credentials (account_id, kind, secret) VALUES (?, 'password', ?)").run(id, passwordHash)
  addMember(db, { accountId: id, organisationId, role, now: createdAt })
}

/** A member of several organisations starts in the one joined first that is not suspended. */
const knownAccount = `SELECT ${accountColumns}, ${organisationColumns}, secret FROM accounts
  LEFT JOIN credentials ON credentials.account_id = accounts.id AND kind = 'password'
  JOIN memberships ON memberships.account_id = accounts.id
  JOIN organisations ON organisations.id = memberships.organisation_id`

const firstFirst = 'ORDER BY organisations.suspended_at IS NOT NULL, memberships.rowid LIMIT 1'

export const findAccount = (db: DatabaseSync, id: string): KnownAccount | null =>
  toKnownAccount(prepared(db, `${knownAccount} WHERE accounts.id = ? ${firstFirst}`).get(id))

export const findAccountByEmail = (db: DatabaseSync, emailKey: string): KnownAccount | null =>
  toKnownAccount(prepared(db, `${knownAccount} WHERE email_key = ? ${firstFirst}`).get(emailKey))

export const listAccounts = (db: DatabaseSync): AccountRecord[] =>
  prepared(db, `SELECT ${accountColumns} FROM accounts ORDER BY rowid`).all().map(accountRecord)

export const setLanguage = (db: DatabaseSync, id: string, language: Language): void => {
  prepared(db, 'UPDATE accounts SET language = ? WHERE id = ?').run(language, id)
}

export const setName = (db: DatabaseSync, id: string, name: string | null): boolean =>
  prepared(db, 'UPDATE accounts SET name = ?1 WHERE id = ?2 AND name IS NOT ?1').run(name, id).changes === 1

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
  language: text(row, 'language') === 'ja' ? 'ja' : 'en',
  createdAt: integer(row, 'account_created_at'),
  lastSeenAt: integerOrNull(row, 'account_last_seen_at'),
  suspendedAt: integerOrNull(row, 'account_suspended_at'),
})

export const joinedOrganisation = (row: Row) => ({
  id: text(row, 'organisation_id'),
  name: text(row, 'organisation_name'),
  createdAt: integer(row, 'organisation_created_at'),
})
