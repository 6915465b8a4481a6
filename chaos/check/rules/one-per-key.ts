import type { Evidence } from '../evidence.ts'
import type { JournalledCall } from '../read-journals.ts'
import type { LedgerRecord } from '../read-ledger.ts'
import type { Rule, Violation } from '../violation.ts'

/** An answered Idempotency-Key is billed once and always returns the same answer. */
export const onePerKey: Rule = (evidence) => {
  const callsOf = Map.groupBy(
    evidence.journals.calls.filter(({ idempotencyKey }) => idempotencyKey !== null),
    ({ question }) => question,
  )
  const recordsOf = recordsByQuestion(evidence)
  const kept = new Set(evidence.ledger.keptAnswers.map(({ requestId }) => requestId))
  return [...callsOf].flatMap(([question, calls]) => [
    ...paidAgain(question, recordsOf.get(question) ?? []),
    ...notKept(question, recordsOf.get(question) ?? [], kept),
    ...answeredOtherwise(question, calls),
  ])
}

const broken = (detail: string): Violation[] => [{ rule: 'one per key', detail }]

const recordsByQuestion = ({ cases }: Evidence): Map<string, LedgerRecord[]> => {
  const found = new Map<string, LedgerRecord[]>()
  for (const { question, records } of cases) found.set(question, [...(found.get(question) ?? []), ...records])
  return found
}

const isCompleted = ({ settlements }: LedgerRecord): boolean =>
  settlements.some(({ outcome }) => outcome === 'completed')

const paidAgain = (question: string, records: readonly LedgerRecord[]): Violation[] => {
  const done = records.filter(isCompleted)
  if (done.length > 1)
    return broken(`${question} was completed as ${done.map(({ requestId }) => requestId).join(', ')}`)
  const [first] = done
  const later = first === undefined ? undefined : records.find(({ sequence }) => sequence > first.sequence)
  return later === undefined ? [] : broken(`${question} was complete, and still ran again as ${later.requestId}`)
}

/** Settling and keeping are one step: a retry after the settlement finds the answer. */
const notKept = (question: string, records: readonly LedgerRecord[], kept: ReadonlySet<string>): Violation[] =>
  records
    .filter(isCompleted)
    .filter(({ requestId }) => !kept.has(requestId))
    .flatMap(({ requestId }) => broken(`${question} was completed as ${requestId}, and its answer was not kept`))

const answeredOtherwise = (question: string, calls: readonly JournalledCall[]): Violation[] => {
  const complete = calls.filter(({ how }) => how === 'complete')
  const ids = new Set(complete.map(({ completionId }) => completionId))
  if (ids.size > 1) return broken(`${question} was answered as ${[...ids].join(' and as ')}`)
  const [id] = ids
  const whole = new Set(
    calls
      .filter(({ completionId }) => completionId === id)
      .flatMap(({ received }) => received.map(({ run, number }) => `${run}.${number}`)),
  )
  const [first] = complete
  if (first === undefined || whole.size === first.choices * first.tokens) return []
  return broken(`${question} came to its end with ${whole.size} of ${first.choices * first.tokens} tokens`)
}
