import type { Case, Evidence } from '../evidence.ts'
import type { Counts, LedgerRecord, SettlementRow } from '../read-ledger.ts'
import { receivedTokens } from '../received-tokens.ts'
import { createRoundTrips } from '../round-trips.ts'
import type { Rule, Violation } from '../violation.ts'

/** How much of the sent output may be missing when the server dies. */
const missingMs = 1000

type Closed = { one: Case; name: string; record: LedgerRecord; settlement: SettlementRow }

/**
 * Sent output is billed: all of it while the server lives, and all but the last second when it dies. A request closed
 * by recovery has exactly the counts of its last checkpoint.
 */
export const neverLess: Rule = (evidence) => {
  const tooLate = createLateness(evidence)
  return evidence.cases.flatMap((one) => {
    const [record, second] = one.records
    const settlement = record?.settlements[0]
    // With several records for one key in one life, the sent tokens cannot be attributed to one of them.
    if (record === undefined || settlement === undefined || second !== undefined) return []
    const name = `${one.question} in life ${one.life.life} (${record.requestId})`
    const closed = { one, name, record, settlement }
    return settlement.outcome === 'server_died'
      ? [...atLastCheckpoint(closed), ...tooLate(closed)]
      : billedShort(closed)
  })
}

const broken = (detail: string): Violation[] => [{ rule: 'never less', detail }]

/** The counts are always right, whichever side ended the answer. A cancelled answer may be cut anywhere. */
const billedShort = ({ one, name, settlement }: Closed): Violation[] => {
  const { outcome, completionTokens: billed } = settlement
  const received = receivedTokens(one).length
  if (billed < received)
    return broken(`${name}: ${outcome}, billed ${billed} tokens, and the client received ${received}`)
  if (outcome === 'client_closed' && one.asked.idempotencyKey === null && one.asked.how !== 'left')
    return broken(`${name}: the ledger says that the client left, and it did not`)
  return []
}

const atLastCheckpoint = ({ one, name, record, settlement }: Closed): Violation[] => {
  if (one.life.killedAt === null) return broken(`${name}: server_died, and nobody killed it`)
  const written: Counts = record.progress ?? nothing
  return kinds.every((kind) => written[kind] === settlement[kind])
    ? []
    : broken(`${name}: closed at ${countsText(settlement)}, and its last checkpoint says ${countsText(written)}`)
}

const createLateness = (evidence: Evidence) => {
  const { isTimerDurable } = createRoundTrips(evidence)
  const lastCheckpoints = lastCheckpointsOf(evidence)
  return ({ one, name, settlement }: Closed): Violation[] => {
    const { life } = one.life
    const received = receivedTokens(one)
    const missing = received.slice(settlement.completionTokens)
    const lastCheckpoint = lastCheckpoints.get(life) ?? 0
    const [first] = missing
    if (first === undefined) return []
    const count = `${settlement.completionTokens} of ${received.length} received tokens`
    // A checkpoint covers the output sent so far by all running requests. A request that has ended is being settled.
    const isRunning =
      one.calls.some(({ how }) => how === 'broken') && received.length < one.asked.choices * one.asked.tokens
    if (isRunning && first < lastCheckpoint)
      return broken(`${name}: billed ${count}, without those ${lastCheckpoint - first} ms before a checkpoint`)
    if (isTimerDurable(life, first + missingMs))
      return broken(`${name}: billed ${count}, and there was more than a second to write the next one`)
    return []
  }
}

/** The time of the latest checkpoint of each life, for any request. */
const lastCheckpointsOf = ({ journals, ledger }: Evidence): Map<number, number> => {
  const written = ledger.records.flatMap(({ progress }) => progress?.writtenAt ?? []).sort((a, b) => a - b)
  return new Map(
    journals.lives.map(({ life, startedAt, killedAt }) => {
      const last = written.findLast((at) => at <= (killedAt ?? Number.POSITIVE_INFINITY))
      return [life, last !== undefined && last >= startedAt ? last : 0]
    }),
  )
}

const kinds = ['promptTokens', 'cachedTokens', 'completionTokens', 'reasoningTokens'] as const
const nothing: Counts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 }
const countsText = (counts: Counts): string => kinds.map((kind) => counts[kind]).join('/')
