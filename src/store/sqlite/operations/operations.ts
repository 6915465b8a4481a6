import { claimServer, createAccount, findAccount, findAccountByEmail, listAccounts, setLanguage } from './accounts.ts'
import { listEvents } from './audit/list-events.ts'
import { pruneEvents } from './audit/prune-events.ts'
import { audited, recordEvent } from './audit/record-event.ts'
import { findCompletion, insertCompletion, removeCompletion, setCompletionMetadata } from './completions.ts'
import { isClaimed } from './is-claimed.ts'
import { findKey, findKeyByHash, insertKey, listKeys, revokeKey } from './keys.ts'
import { findLink, insertLink, replaceSetupLink } from './links.ts'
import { listCompletions } from './list-completions.ts'
import { type Operation, read, write } from './operation.ts'
import { ensureFirstOrganisation, firstOrganisation } from './organisations.ts'
import { changePassword, resetPassword, verifyEmail } from './passwords.ts'
import { removeAccount } from './remove-account.ts'
import { findSession, listSessions, openSession, removeSession, touchSession } from './sessions.ts'
import { acceptInvitation } from './teams/accept-invitation.ts'
import { findInvitation, insertInvitation, listInvitations, withdrawInvitation } from './teams/invitations.ts'
import { changeRole, deleteOrganisation, removeMember } from './teams/member-changes.ts'
import { listMembers, listOwnOrganisations } from './teams/memberships.ts'
import { createOrganisation, handOver, renameOrganisation, switchOrganisation } from './teams/organisation-changes.ts'
import { recordWriteCheck } from './write-checks.ts'

const isTrue = (result: boolean): boolean => result
const isThere = (result: object | null): boolean => result !== null
const always = (): boolean => true
const is =
  (word: string) =>
  (result: string): boolean =>
    result === word
const ended =
  (word: string) =>
  ({ outcome }: { outcome: string }): boolean =>
    outcome === word

/** Everything the store thread can be asked for, by name. */
const table = {
  ensureFirstOrganisation: write(ensureFirstOrganisation),
  firstOrganisation: read(firstOrganisation),
  insertKey: write(insertKey),
  findKeyByHash: read(findKeyByHash),
  findKey: read(findKey),
  listKeys: read(listKeys),
  revokeKey: write(revokeKey),
  insertCompletion: write(insertCompletion),
  findCompletion: read(findCompletion),
  listCompletions: read(listCompletions),
  setCompletionMetadata: write(setCompletionMetadata),
  removeCompletion: write(removeCompletion),
  isClaimed: read(isClaimed),
  claimServer: audited(claimServer, is('claimed')),
  createAccount: audited(createAccount, is('created')),
  findAccount: read(findAccount),
  findAccountByEmail: read(findAccountByEmail),
  listAccounts: read(listAccounts),
  setLanguage: write(setLanguage),
  changePassword: audited(changePassword, isTrue),
  resetPassword: audited(resetPassword, isThere),
  verifyEmail: audited(verifyEmail, isTrue),
  removeAccount: audited(removeAccount, ended('deleted')),
  openSession: audited(openSession, isTrue),
  findSession: read(findSession),
  touchSession: write(touchSession),
  listSessions: read(listSessions),
  removeSession: audited(removeSession, isTrue),
  insertLink: audited(insertLink, always),
  replaceSetupLink: write(replaceSetupLink),
  findLink: read(findLink),
  listOwnOrganisations: read(listOwnOrganisations),
  listMembers: read(listMembers),
  createOrganisation: audited(createOrganisation, isTrue),
  switchOrganisation: write(switchOrganisation),
  renameOrganisation: audited(renameOrganisation, ended('renamed')),
  changeRole: audited(changeRole, ended('changed')),
  handOver: audited(handOver, ended('handed_over')),
  removeMember: write(removeMember),
  deleteOrganisation: audited(deleteOrganisation, ended('removed')),
  insertInvitation: audited(insertInvitation, ended('invited')),
  listInvitations: read(listInvitations),
  findInvitation: read(findInvitation),
  withdrawInvitation: audited(withdrawInvitation, isTrue),
  acceptInvitation: audited(acceptInvitation, ended('accepted')),
  recordEvent: write(recordEvent),
  listEvents: read(listEvents),
  pruneEvents: write(pruneEvents),
  recordWriteCheck: write(recordWriteCheck),
}

type Table = typeof table
export type OperationName = keyof Table
export type ArgsOf = { [Name in OperationName]: Table[Name] extends Operation<infer Args, unknown> ? Args : never }
export type ResultOf = { [Name in OperationName]: ReturnType<Table[Name]['run']> }

/** The same table, in the form in which TypeScript can follow a name from its arguments to its result. */
export const operations: { [Name in OperationName]: Operation<ArgsOf[Name], ResultOf[Name]> } = table
