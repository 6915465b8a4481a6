import {
  claimServer,
  createAccount,
  findAccount,
  findAccountByEmail,
  listAccounts,
  setLanguage,
  setName,
} from './accounts/accounts.ts'
import { changeEmail, confirmEmail } from './accounts/emails.ts'
import { isClaimed } from './accounts/is-claimed.ts'
import { findLink, insertLink, replaceSetupLink } from './accounts/links.ts'
import { changePassword, resetPassword, verifyEmail } from './accounts/passwords.ts'
import { removeAccount } from './accounts/remove-account.ts'
import { removeExpiredAccess } from './accounts/remove-expired-access.ts'
import {
  confirmSession,
  findSession,
  listSessions,
  openSession,
  removeSession,
  touchSession,
} from './accounts/sessions.ts'
import { always, hasOutcome, is, isPresent, isTrue } from './audit/audit-conditions.ts'
import { audited } from './audit/record-event.ts'
import {
  findCachedAnswer,
  insertCachedAnswer,
  removeCachedAnswer,
  removeExpiredAnswers,
  removeOldestAnswers,
  sumCachedBytes,
} from './cache/cached-answers.ts'
import { listKeyValidity, listMemberValidity } from './callers/callers.ts'
import { findCompletion, insertCompletion, removeCompletion, setCompletionMetadata } from './completions/completions.ts'
import { listCompletions } from './completions/list-completions.ts'
import { changeKey, rotateKey, touchKeys } from './keys/change-key.ts'
import { findKey, findKeyByHash, insertKey, listKeys, revokeKey } from './keys/keys.ts'
import { findLedgerRow, listLedgerSince } from './ledger/ledger.ts'
import { hideNotice, listHiddenNotices, showNotice } from './notices/hidden-notices.ts'
import { evicting, prepared, read, snapshot, write, writeOnce } from './operation.ts'
import {
  ensureFirstOrganisation,
  findOrganisationLimits,
  firstOrganisation,
  listOrganisations,
  setOrganisationLimits,
} from './organisations/organisations.ts'
import {
  changeConversation,
  findConversation,
  findSameConversation,
  insertConversation,
  listConversations,
  pruneConversations,
  removeConversation,
} from './playground/conversations.ts'
import { findDraft, saveDraft } from './playground/drafts.ts'
import {
  changePrompt,
  findPrompt,
  insertPrompt,
  listPrompts,
  prunePrompts,
  setPromptRemoved,
} from './playground/prompts.ts'
import { findShare, insertShare, listShares, removeShare } from './playground/shares.ts'
import { findReplay, hasReplay, removeExpiredReplays, sumReplayBytes } from './replays/replays.ts'
import { findBodyDays, listStoringOrganisations, setBodyDays } from './requests/body-days.ts'
import { countRefused, countServerRefusals, pruneRefusals } from './requests/refusals.ts'
import { listRequestProgress } from './requests/request-progress.ts'
import { findRequest } from './requests/search-requests.ts'
import { findBodies, removeExpiredBodies, removeUnwantedBodies, storeBodies } from './requests/stored-bodies.ts'
import {
  findResponse,
  findResponseChain,
  findResponsesWithItems,
  insertResponse,
  removeExpiredResponses,
  removeResponse,
} from './responses/responses.ts'
import { listSettings, saveSettings } from './settings/settings.ts'
import { signInOperations } from './sign-in/sign-in-operations.ts'
import { teamOperations } from './teams/team-operations.ts'
import { upstreamOperations } from './upstreams/upstream-operations.ts'
import { countSettledUsage, findLedgerHorizon } from './usage/settled-usage.ts'
import { listLargestUsage, listUsage, listUsageDays, sumRequests, sumUsedCost, sumUsedTokens } from './usage/usage.ts'
import { listUsageHours } from './usage/usage-hours.ts'
import { webhookOperations } from './webhooks/webhook-operations.ts'
import { recordWriteCheck } from './write-checks.ts'

/** Operations that are written once for every database, by name. Whatever runs them: a thread with SQLite, or a pool of connections. */
export const portableOperations = {
  ensureFirstOrganisation: write(ensureFirstOrganisation),
  firstOrganisation: read(firstOrganisation),
  listOrganisations: read(listOrganisations),
  findOrganisationLimits: prepared(read(findOrganisationLimits)),
  setOrganisationLimits: audited(setOrganisationLimits, is('set')),
  insertKey: audited(insertKey, always),
  findKeyByHash: prepared(read(findKeyByHash)),
  findKey: read(findKey),
  listKeys: read(listKeys),
  revokeKey: audited(revokeKey, is('revoked')),
  rotateKey: audited(rotateKey, isPresent),
  changeKey: audited(changeKey, hasOutcome('changed')),
  touchKeys: write(touchKeys),
  listKeyValidity: read(listKeyValidity),
  listMemberValidity: read(listMemberValidity),
  insertCompletion: write(insertCompletion),
  findCompletion: read(findCompletion),
  listCompletions: snapshot(listCompletions),
  setCompletionMetadata: write(setCompletionMetadata),
  removeCompletion: writeOnce(removeCompletion),
  insertResponse: evicting(write(insertResponse)),
  findResponse: read(findResponse),
  findResponseChain: read(findResponseChain),
  findResponsesWithItems: read(findResponsesWithItems),
  removeResponse: writeOnce(removeResponse),
  removeExpiredResponses: write(removeExpiredResponses),
  isClaimed: read(isClaimed),
  claimServer: audited(claimServer, is('claimed')),
  createAccount: audited(createAccount, is('created')),
  findAccount: read(findAccount),
  findAccountByEmail: read(findAccountByEmail),
  listAccounts: read(listAccounts),
  setLanguage: writeOnce(setLanguage),
  setName: audited(setName, isTrue),
  changeEmail: audited(changeEmail, is('changed')),
  confirmEmail: audited(confirmEmail, is('changed')),
  changePassword: audited(changePassword, isTrue),
  resetPassword: audited(resetPassword, isPresent),
  verifyEmail: audited(verifyEmail, isTrue),
  removeAccount: audited(removeAccount, hasOutcome('deleted')),
  removeExpiredAccess: write(removeExpiredAccess),
  openSession: audited(openSession, isTrue),
  confirmSession: writeOnce(confirmSession),
  findSession: read(findSession),
  touchSession: write(touchSession),
  listSessions: read(listSessions),
  removeSession: audited(removeSession, isTrue),
  insertLink: audited(insertLink, always),
  replaceSetupLink: write(replaceSetupLink),
  findLink: read(findLink),
  findDraft: read(findDraft),
  saveDraft: writeOnce(saveDraft),
  listPrompts: read(listPrompts),
  insertPrompt: write(insertPrompt),
  findPrompt: snapshot(findPrompt),
  changePrompt: write(changePrompt),
  setPromptRemoved: writeOnce(setPromptRemoved),
  prunePrompts: writeOnce(prunePrompts),
  listConversations: read(listConversations),
  insertConversation: write(insertConversation),
  findConversation: read(findConversation),
  findSameConversation: read(findSameConversation),
  changeConversation: write(changeConversation),
  removeConversation: writeOnce(removeConversation),
  pruneConversations: writeOnce(pruneConversations),
  listShares: read(listShares),
  insertShare: write(insertShare),
  findShare: read(findShare),
  removeShare: writeOnce(removeShare),
  listHiddenNotices: read(listHiddenNotices),
  hideNotice: write(hideNotice),
  showNotice: writeOnce(showNotice),
  listStoringOrganisations: read(listStoringOrganisations),
  findBodyDays: read(findBodyDays),
  setBodyDays: audited(setBodyDays, hasOutcome('changed')),
  storeBodies: write(storeBodies),
  findBodies: read(findBodies),
  removeExpiredBodies: write(removeExpiredBodies),
  removeUnwantedBodies: write(removeUnwantedBodies),
  listUsage: read(listUsage),
  listUsageDays: read(listUsageDays),
  listLargestUsage: read(listLargestUsage),
  countServerRefusals: read(countServerRefusals),
  listUsageHours: read(listUsageHours),
  sumUsedCost: read(sumUsedCost),
  sumRequests: read(sumRequests),
  sumUsedTokens: read(sumUsedTokens),
  hasReplay: read(hasReplay),
  findReplay: read(findReplay),
  removeExpiredReplays: write(removeExpiredReplays),
  sumReplayBytes: read(sumReplayBytes),
  findCachedAnswer: read(findCachedAnswer),
  insertCachedAnswer: write(insertCachedAnswer),
  removeCachedAnswer: writeOnce(removeCachedAnswer),
  removeExpiredAnswers: write(removeExpiredAnswers),
  removeOldestAnswers: write(removeOldestAnswers),
  sumCachedBytes: read(sumCachedBytes),
  countSettledUsage: snapshot(countSettledUsage),
  findLedgerHorizon: read(findLedgerHorizon),
  findLedgerRow: read(findLedgerRow),
  listLedgerSince: read(listLedgerSince),
  findRequest: read(findRequest),
  listRequestProgress: read(listRequestProgress),
  countRefused: read(countRefused),
  pruneRefusals: writeOnce(pruneRefusals),
  listSettings: read(listSettings),
  saveSettings: audited(saveSettings, always),
  ...teamOperations,
  recordWriteCheck: writeOnce(recordWriteCheck),
  ...signInOperations,
  ...upstreamOperations,
  ...webhookOperations,
}
