import type { Rule } from '../violation.ts'

/** Every reserved request is settled exactly once, and every record belongs to a call. */
export const settledOnce: Rule = ({ ledger, cases, unexplained }) => [
  ...ledger.records
    .filter(({ settlements }) => settlements.length !== 1)
    .map(({ requestId, settlements }) => ({
      rule: 'settled once',
      detail: `${requestId} has ${settlements.length} settlements`,
    })),
  ...(ledger.openRecords === 0
    ? []
    : [{ rule: 'settled once', detail: `${ledger.openRecords} requests are still open after a clean stop` }]),
  ...unexplained.map(({ requestId, keyId }) => ({
    rule: 'settled once',
    detail: `${requestId} of ${keyId} is in the ledger, and nobody asked for it`,
  })),
  ...cases
    .filter(({ asked, records }) => asked.idempotencyKey === null && records.length > 1)
    .map(({ asked, records }) => ({
      rule: 'settled once',
      detail: `call ${asked.call} was sent once and is in the ledger as ${records.map(({ requestId }) => requestId).join(', ')}`,
    })),
]
