import type { Rule } from '../violation.ts'

/** Nobody gets a token of a request that was not reserved before. A retry is told what another request paid for. */
export const recorded: Rule = ({ journals, cases }) => {
  const withRecord = new Set(cases.filter(({ records }) => records.length > 0).map(({ question }) => question))
  return journals.calls
    .filter(({ question, heard, how }) => (heard.length > 0 || how === 'complete') && !withRecord.has(question))
    .map(({ call, requestId, heard }) => ({
      rule: 'recorded',
      detail: `call ${call} (${requestId}) received ${heard.length} tokens, and the ledger does not know it`,
    }))
}
