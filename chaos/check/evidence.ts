import type { JournalledCall, Journals, Life, Run } from './read-journals.ts'
import type { LedgerContents, LedgerRecord } from './read-ledger.ts'

/** All evidence on one question in one life of the server: tokens received, tokens generated and tokens billed. */
export type Case = {
  question: string
  life: Life
  /** The question; the same in all its calls. */
  asked: JournalledCall
  calls: JournalledCall[]
  runs: Run[]
  records: LedgerRecord[]
}

export type Evidence = {
  journals: Journals
  ledger: LedgerContents
  cases: Case[]
  /** Records that match no question. */
  unexplained: LedgerRecord[]
}

export const gatherEvidence = (journals: Journals, ledger: LedgerContents): Evidence => {
  const lives = new Map(journals.lives.map((life) => [life.life, life]))
  const lifeOf = (at: number): number => journals.lives.findLast(({ startedAt }) => startedAt <= at)?.life ?? 0
  const questionOf = createMatcher(journals.calls)
  const recordsOf = new Map<string, LedgerRecord[]>()
  const unexplained: LedgerRecord[] = []
  for (const record of ledger.records) {
    const life = lifeOf(record.createdAt)
    const question = questionOf(record, life)
    if (question === null) unexplained.push(record)
    else recordsOf.set(caseName(question, life), [...(recordsOf.get(caseName(question, life)) ?? []), record])
  }
  const runsOf = Map.groupBy(journals.runs, ({ question, life }) => caseName(question, life))
  const cases = [...Map.groupBy(journals.calls, ({ question, life }) => caseName(question, life))].flatMap(
    ([name, calls]): Case[] => {
      const [asked] = calls
      const life = lives.get(asked?.life ?? 0)
      if (asked === undefined || life === undefined) return []
      return [
        {
          question: asked.question,
          life,
          asked,
          calls,
          runs: runsOf.get(name) ?? [],
          records: recordsOf.get(name) ?? [],
        },
      ]
    },
  )
  return { journals, ledger, cases, unexplained }
}

const caseName = (question: string, life: number): string => `${question} in life ${life}`

/**
 * A record belongs to the call that received its id. If no response head arrived, the API key identifies it: after an
 * answer without an id, no other question uses that key in the same life.
 */
const createMatcher = (calls: readonly JournalledCall[]) => {
  const byRequest = new Map(calls.map((call) => [call.requestId, call.question]))
  const nameless = calls.filter(({ requestId }) => requestId === null)
  const byKey = new Map(nameless.map((call) => [`${call.keyId} in life ${call.life}`, call.question]))
  return ({ requestId, keyId }: LedgerRecord, life: number): string | null =>
    byRequest.get(requestId) ?? byKey.get(`${keyId} in life ${life}`) ?? null
}
