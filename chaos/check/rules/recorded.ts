import type { Rule } from '../violation.ts'

/** No client gets a token of a request that was not reserved first. A retry returns what another request paid for. */
export const recorded: Rule = ({ journals, cases }) => {
  const withRecord = new Set(cases.filter(({ records }) => records.length > 0).map(({ question }) => question))
  return journals.calls
    .filter(({ question, received, how }) => (received.length > 0 || how === 'complete') && !withRecord.has(question))
    .map(({ call, requestId, received }) => ({
      rule: 'recorded',
      detail: `call ${call} (${requestId}) received ${received.length} tokens, and the ledger does not know it`,
    }))
}
