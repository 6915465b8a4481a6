import {
  claimServer,
  createAccount,
  findAccount,
  findAccountByEmail,
  listAccounts,
  setLanguage,
  setName,
} from '../../operations/accounts/accounts.ts'
import { changeEmail, confirmEmail } from '../../operations/accounts/emails.ts'
import { isClaimed } from '../../operations/accounts/is-claimed.ts'
import { findLink, insertLink, replaceSetupLink } from '../../operations/accounts/links.ts'
import { changePassword, resetPassword, verifyEmail } from '../../operations/accounts/passwords.ts'
import { removeAccount } from '../../operations/accounts/remove-account.ts'
import {
  confirmSession,
  findSession,
  listSessions,
  openSession,
  removeSession,
  touchSession,
} from '../../operations/accounts/sessions.ts'
import { always, hasOutcome, is, isPresent, isTrue } from '../../operations/audit/audit-conditions.ts'
import { audited } from '../../operations/audit/record-event.ts'
import {
  findCompletion,
  insertCompletion,
  removeCompletion,
  setCompletionMetadata,
} from '../../operations/completions/completions.ts'
import { listCompletions } from '../../operations/completions/list-completions.ts'
import { changeKey, rotateKey, touchKeys } from '../../operations/keys/change-key.ts'
import { findKey, findKeyByHash, insertKey, listKeys, revokeKey } from '../../operations/keys/keys.ts'
import {
  ensureFirstOrganisation,
  findOrganisationLimits,
  firstOrganisation,
  listOrganisations,
  setOrganisationLimits,
} from '../../operations/organisations/organisations.ts'
import { findDraft, saveDraft } from '../../operations/playground/drafts.ts'
import {
  changePrompt,
  findPrompt,
  insertPrompt,
  listPrompts,
  setPromptRemoved,
} from '../../operations/playground/prompts.ts'
import {
  findResponse,
  findResponseChain,
  findResponsesWithItems,
  insertResponse,
  removeExpiredResponses,
  removeResponse,
} from '../../operations/responses/responses.ts'
import { signInOperations } from '../../operations/sign-in/sign-in-operations.ts'
import { teamOperations } from '../../operations/teams/team-operations.ts'
import { upstreamOperations } from '../../operations/upstreams/upstream-operations.ts'
import { recordWriteCheck } from '../../operations/write-checks.ts'
import { checkpointProgress } from './ledger/checkpoint.ts'
import { findLedgerRow, listLedger, listLedgerSince } from './ledger/ledger.ts'
import { pruneCheckpoints, pruneLedger } from './ledger/prune-ledger.ts'
import { recoverRequests } from './ledger/recover.ts'
import { reserveRequests } from './ledger/reserve.ts'
import { settleRequests } from './ledger/settle.ts'
import { type Operation, read, write } from './operation.ts'
import { findReplay, hasReplay, removeExpiredReplays, sumReplayBytes } from './replays/replays.ts'
import { pruneRefusals, refuseRequests } from './requests/refusals.ts'
import { listRequestNews, markRequests } from './requests/request-news.ts'
import { findRequest, searchRequests } from './requests/search-requests.ts'
import {
  findBodies,
  findBodyDays,
  listStoringOrganisations,
  removeExpiredBodies,
  removeUnwantedBodies,
  setBodyDays,
  storeBodies,
} from './requests/stored-bodies.ts'
import { listUsage, sumUsedCost, sumUsedTokens } from './usage/usage.ts'
import { listUsageHours } from './usage/usage-hours.ts'

/** Everything the store thread can be asked for, by name. */
const table = {
  ensureFirstOrganisation: write(ensureFirstOrganisation),
  firstOrganisation: read(firstOrganisation),
  listOrganisations: read(listOrganisations),
  findOrganisationLimits: read(findOrganisationLimits),
  setOrganisationLimits: audited(setOrganisationLimits, is('set')),
  insertKey: audited(insertKey, always),
  findKeyByHash: read(findKeyByHash),
  findKey: read(findKey),
  listKeys: read(listKeys),
  revokeKey: audited(revokeKey, is('revoked')),
  rotateKey: audited(rotateKey, isPresent),
  changeKey: audited(changeKey, hasOutcome('changed')),
  touchKeys: write(touchKeys),
  insertCompletion: write(insertCompletion),
  findCompletion: read(findCompletion),
  listCompletions: read(listCompletions),
  setCompletionMetadata: write(setCompletionMetadata),
  removeCompletion: write(removeCompletion),
  insertResponse: write(insertResponse),
  findResponse: read(findResponse),
  findResponseChain: read(findResponseChain),
  findResponsesWithItems: read(findResponsesWithItems),
  removeResponse: write(removeResponse),
  removeExpiredResponses: write(removeExpiredResponses),
  isClaimed: read(isClaimed),
  claimServer: audited(claimServer, is('claimed')),
  createAccount: audited(createAccount, is('created')),
  findAccount: read(findAccount),
  findAccountByEmail: read(findAccountByEmail),
  listAccounts: read(listAccounts),
  setLanguage: write(setLanguage),
  setName: audited(setName, isTrue),
  changeEmail: audited(changeEmail, is('changed')),
  confirmEmail: audited(confirmEmail, is('changed')),
  changePassword: audited(changePassword, isTrue),
  resetPassword: audited(resetPassword, isPresent),
  verifyEmail: audited(verifyEmail, isTrue),
  removeAccount: audited(removeAccount, hasOutcome('deleted')),
  openSession: audited(openSession, isTrue),
  confirmSession: write(confirmSession),
  findSession: read(findSession),
  touchSession: write(touchSession),
  listSessions: read(listSessions),
  removeSession: audited(removeSession, isTrue),
  insertLink: audited(insertLink, always),
  replaceSetupLink: write(replaceSetupLink),
  findLink: read(findLink),
  reserveRequests: write(reserveRequests),
  checkpointProgress: write(checkpointProgress),
  settleRequests: write(settleRequests),
  recoverRequests: write(recoverRequests),
  listLedgerSince: read(listLedgerSince),
  listLedger: read(listLedger),
  findLedgerRow: read(findLedgerRow),
  refuseRequests: write(refuseRequests),
  findRequest: read(findRequest),
  searchRequests: read(searchRequests),
  markRequests: read(markRequests),
  listRequestNews: read(listRequestNews),
  pruneRefusals: write(pruneRefusals),
  pruneLedger: write(pruneLedger),
  pruneCheckpoints: write(pruneCheckpoints),
  listStoringOrganisations: read(listStoringOrganisations),
  findBodyDays: read(findBodyDays),
  setBodyDays: audited(setBodyDays, hasOutcome('changed')),
  storeBodies: write(storeBodies),
  findBodies: read(findBodies),
  removeExpiredBodies: write(removeExpiredBodies),
  removeUnwantedBodies: write(removeUnwantedBodies),
  listUsage: read(listUsage),
  listUsageHours: read(listUsageHours),
  sumUsedCost: read(sumUsedCost),
  sumUsedTokens: read(sumUsedTokens),
  hasReplay: read(hasReplay),
  findReplay: read(findReplay),
  removeExpiredReplays: write(removeExpiredReplays),
  sumReplayBytes: read(sumReplayBytes),
  findDraft: read(findDraft),
  saveDraft: write(saveDraft),
  listPrompts: read(listPrompts),
  insertPrompt: write(insertPrompt),
  findPrompt: read(findPrompt),
  changePrompt: write(changePrompt),
  setPromptRemoved: write(setPromptRemoved),
  ...teamOperations,
  recordWriteCheck: write(recordWriteCheck),
  ...signInOperations,
  ...upstreamOperations,
}

type Table = typeof table
export type OperationName = keyof Table
export type ArgsOf = { [Name in OperationName]: Table[Name] extends Operation<infer Args, unknown> ? Args : never }
export type ResultOf = { [Name in OperationName]: ReturnType<Table[Name]['run']> }

/** The same table, in the form in which TypeScript can follow a name from its arguments to its result. */
export const operations: { [Name in OperationName]: Operation<ArgsOf[Name], ResultOf[Name]> } = table
