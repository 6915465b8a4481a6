import type { OperationName } from './operations.ts'

/**
 * Operations that may read much: pages of the console and lists of the API. They run on a connection of their own, so that
 * no reservation waits for them. Short lookups, such as that of a key, stay where no search can delay them.
 */
const searches: ReadonlySet<OperationName> = new Set<OperationName>([
  'countSettledUsage',
  'findBodies',
  'findCompletion',
  'findDraft',
  'findPrompt',
  'findRequest',
  'listAccounts',
  'listAllOrganisations',
  'listCompletions',
  'listEvents',
  'listKeys',
  'listLedger',
  'listMembers',
  'listPrompts',
  'listRequestNews',
  'listRequestProgress',
  'listUsage',
  'listUsageDays',
  'listUsageHours',
  'markRequests',
  'searchRequests',
])

export const isSearch = (name: OperationName): boolean => searches.has(name)
