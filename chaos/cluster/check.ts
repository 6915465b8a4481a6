import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report, Violation } from '../check/violation.ts'
import { type Dated, readJournal } from '../ledger/journal.ts'
import { answerText, promptTokensOf, questionText, wordsOf } from '../upstreams/question.ts'
import { checkLimits } from './check-limits.ts'
import { createHasLapsed, type HasLapsed } from './create-has-lapsed.ts'
import type { LedgerDump } from './dump-ledger.ts'
import type { ClockEntry, ClusterCallEntry, ClusterFaultEntry, KeyEntry } from './journal.ts'
import { readLapses } from './read-lapses.ts'

type Sent = Dated<Extract<ClusterCallEntry, { event: 'sent' }>>
type Ended = Dated<Extract<ClusterCallEntry, { event: 'ended' }>>
type Call = { sent: Sent; ended: Ended | null }
type LedgerRequest = LedgerDump['requests'][number]

/** Errors that this run can cause. A 401 is none of them: no key becomes wrong because a database is away. */
const expectedCodes = new Set([
  ...['upstream_failed', 'upstream_busy', 'queue_timeout', 'queue_full', 'model_unavailable'],
  ...['ledger_unavailable', 'store_unavailable', 'node_lease_expired', 'replay_buffer_full', 'engine_loading'],
  ...['rate_limit_exceeded', 'insufficient_quota', 'limits_unavailable'],
])
/** A connection is refused a moment before or after a node is killed. */
const nearMs = 3_000

/** Compares the ledger of a finished run with what the clients received. It shares no code with the server. */
export const checkClusterRun = (folder: string) => {
  const calls = readCalls(join(folder, 'journals'))
  const faults = readJournal<ClusterFaultEntry>(join(folder, 'journals', 'faults.jsonl'))
  const ledger: LedgerDump = JSON.parse(readFileSync(join(folder, 'ledger.json'), 'utf8'))
  const clocks = readJournal<ClockEntry>(join(folder, 'journals', 'clocks.jsonl'))
  const lapses = readLapses(folder, clocks)
  const hasLapsed = createHasLapsed(lapses, faults)
  const requestOf = new Map(ledger.requests.map((request) => [request.requestId, request]))
  const keys = readJournal<KeyEntry>(join(folder, 'journals', 'keys.jsonl'))
  const budgeted = new Set(keys.filter(({ tokensPerDay }) => tokensPerDay !== null).map(({ keyId }) => keyId))
  const violations: Violation[] = []
  const report = (rule: string, detail: string): void => void violations.push({ rule, detail })
  const wasKilled = ({ node }: Sent, fromMs: number, toMs: number): boolean =>
    faults.some(({ kind, part, event, at }) => {
      const isNear = event === 'began' && at >= fromMs - nearMs && at <= toMs + nearMs
      return kind === 'kill' && part === node && isNear
    })

  const limited = new Set(keys.filter((key) => key.requestsPerMinute ?? key.tokensPerDay).map(({ keyId }) => keyId))

  for (const { sent, ended } of calls) {
    if (ended === null || ended.how === 'silent') {
      report('no hang', `${sent.call} at ${sent.node}: ${ended?.how ?? 'never ended'}`)
      continue
    }
    if (ended.how === 'broken' && !wasKilled(sent, sent.at, ended.at))
      report('no hang', `${sent.call} (${ended.requestId}) broke off although ${sent.node} was not killed`)
    if (ended.malformed > 0) report('well-formed', `${sent.call}: ${ended.malformed} unexpected events`)
    if (ended.code !== null && !expectedCodes.has(ended.code))
      report('errors', `${sent.call} (${ended.requestId}) at ${sent.node}: ${ended.status} ${ended.code}`)
    if (ended.code === 'limits_unavailable' && !limited.has(sent.keyId))
      report(
        'unlimited',
        `${sent.call} (${ended.requestId}) at ${sent.node} waited for limits that its key does not have`,
      )
    for (const detail of wrongTextOf(sent, ended, budgeted.has(sent.keyId)))
      report('whole text', `${sent.call} (${ended.requestId}): ${detail}`)
    if (ended.isReplayed || ended.requestId === null) continue
    const request = requestOf.get(ended.requestId)
    if (request !== undefined) {
      // Others may have executed it again for its key, and billed that.
      const isElsewhere = sent.isKeyed && hasLapsed(sent, ended)
      for (const detail of wrongCountsOf(sent, ended, request, isElsewhere))
        report('billed', `${sent.call} (${ended.requestId}) at ${sent.node}: ${detail}`)
    } else if (ended.text !== '') report('lost', `${sent.call} (${ended.requestId}) is not in the ledger`)
  }
  for (const { requestId, outcome } of ledger.requests)
    if (outcome === null) report('settled', `${requestId} is still open`)
  checkOncePerKey(calls, requestOf, hasLapsed, report)
  checkRequested(calls, ledger, report)
  checkTotals(ledger, report)
  checkLimits({ keys, ledger, faults, reservedAt: createReservedAt(calls, ledger, clocks) }, report)
  const admissible = Map.groupBy(
    calls.filter(({ sent }) => !limited.has(sent.keyId)),
    ({ sent }) => sent.id,
  )
  const complete = [...admissible.values()].filter((all) => all.some(({ ended }) => ended?.how === 'complete')).length
  if (complete * 2 < admissible.size) report('available', `only ${complete} of ${admissible.size} were answered`)
  return { coverage: { ...coverageOf(calls, faults, ledger), lapses: lapses.length }, violations }
}

/** At the end of its budget, a key gets as much of an answer as is left of it. */
const wrongTextOf = ({ id, words }: Sent, ended: Ended, hasBudget: boolean): string[] => {
  const expected = answerText({ id, words, paceMs: 0 })
  if (hasBudget && ended.finishReason === 'length' && expected.startsWith(ended.text)) return []
  if (ended.how !== 'complete') return expected.startsWith(ended.text) ? [] : ['not the beginning of the answer']
  if (ended.text !== expected) return [`received '…${ended.text.slice(-20)}', expected '…${expected.slice(-20)}'`]
  return ended.finishReason === 'stop' ? [] : [`ended with ${ended.finishReason}`]
}

const wrongCountsOf = (sent: Sent, ended: Ended, request: LedgerRequest, isElsewhere: boolean): string[] => {
  const { outcome, promptTokens, completionTokens, isEstimated } = request
  if (outcome === null || completionTokens === null || promptTokens === null) return []
  const received = wordsOf(ended.text).length
  const prompt = promptTokensOf([questionText({ id: sent.id, words: sent.words, paceMs: 0 })])
  const wrong: string[] = []
  if (promptTokens > prompt) wrong.push(`${promptTokens} prompt tokens instead of ${prompt}`)
  if (completionTokens > sent.words) wrong.push(`${completionTokens} tokens billed of ${sent.words}`)
  if (ended.how === 'complete' && isElsewhere) {
    if (completionTokens > received) wrong.push(`${completionTokens} tokens billed, ${received} received`)
  } else if (ended.how === 'complete') {
    if (outcome !== 'completed') wrong.push(`complete, but recorded as ${outcome}`)
    // Nobody counted the words of a JSON answer if its upstream did not.
    const isExact = sent.stream || isEstimated === 0
    if (isExact ? completionTokens !== received : completionTokens > received)
      wrong.push(`${completionTokens} tokens billed, ${received} received`)
  }
  if (ended.how === 'failed' && !sent.isKeyed && completionTokens > received)
    wrong.push(`${completionTokens} tokens billed before ${ended.code}, ${received} received`)
  return wrong
}

/** However often it was asked, and wherever: one execution was completed. */
const checkOncePerKey = (
  calls: readonly Call[],
  requestOf: ReadonlyMap<string, LedgerRequest>,
  hasLapsed: HasLapsed,
  report: Report,
): void => {
  const keyed = Map.groupBy(
    calls.filter(({ sent }) => sent.isKeyed),
    ({ sent }) => sent.id,
  )
  for (const [id, attempts] of keyed) {
    const ids = new Set(attempts.flatMap(({ ended }) => (ended?.isReplayed === false ? (ended.requestId ?? []) : [])))
    const completed = [...ids].filter((requestId) => requestOf.get(requestId)?.outcome === 'completed')
    if (completed.length > 1) report('billed twice', `${id} was completed by ${completed.join(' and ')}`)
    const isAnswered = attempts.some(({ ended }) => ended?.how === 'complete')
    const hasUnknown = attempts.some(({ ended }) => ended?.requestId === null || ended?.isReplayed === true)
    const isLapsed = attempts.some(({ sent, ended }) => ended !== null && hasLapsed(sent, ended))
    if (isAnswered && completed.length === 0 && !hasUnknown && !isLapsed)
      report('lost', `${id} was answered, but is not billed`)
  }
}

/** Nobody is billed for what nobody requested. Of a call that broke before the response the id is not known. */
const checkRequested = (calls: readonly Call[], { requests }: LedgerDump, report: Report): void => {
  const known = new Set(calls.flatMap(({ ended }) => ended?.requestId ?? []))
  const unknown = requests.filter(({ requestId }) => !known.has(requestId)).length
  const nameless = calls.filter(({ ended }) => (ended?.requestId ?? null) === null).length
  if (unknown > nameless) report('requested', `${unknown} requests are not in the journals, and ${nameless} had no id`)
}

/** Which clock it was is known from the requests whose node the journals name. */
const createReservedAt = (calls: readonly Call[], ledger: LedgerDump, clocks: readonly ClockEntry[]) => {
  const nameOf = new Map(calls.map(({ sent, ended }) => [ended?.requestId, sent.node]))
  const names = new Map<string, string>()
  for (const { requestId, node } of ledger.requests) {
    const name = nameOf.get(requestId)
    if (name !== undefined) names.set(node, name)
  }
  return ({ node, createdAt }: LedgerRequest): number | null => {
    const name = names.get(node)
    if (name === undefined) return null
    return createdAt - (clocks.find((clock) => clock.node === name)?.aheadMs ?? 0)
  }
}

const checkTotals = ({ requests, days }: LedgerDump, report: Report): void => {
  const settled = requests.filter(({ outcome }) => outcome !== null)
  const tokens = settled.reduce(
    (sum, { promptTokens, completionTokens }) => sum + (promptTokens ?? 0) + (completionTokens ?? 0),
    0,
  )
  const [total] = days
  if (total?.requests !== settled.length) report('totals', `${total?.requests} requests instead of ${settled.length}`)
  if (total?.tokens !== tokens) report('totals', `${total?.tokens} tokens instead of ${tokens}`)
}

const readCalls = (journals: string): Call[] => {
  const calls = new Map<string, Call>()
  for (const file of readdirSync(journals).filter((name) => name.startsWith('client-')))
    for (const entry of readJournal<ClusterCallEntry>(join(journals, file))) {
      const known = calls.get(entry.call)
      if (entry.event === 'sent') calls.set(entry.call, { sent: entry, ended: null })
      else if (known !== undefined) known.ended = entry
    }
  return [...calls.values()]
}

const coverageOf = (calls: readonly Call[], faults: readonly ClusterFaultEntry[], ledger: LedgerDump) => {
  const ended = (how: Ended['how']): number => calls.filter((call) => call.ended?.how === how).length
  const faultsOf = (kind: ClusterFaultEntry['kind']): number =>
    faults.filter((fault) => fault.kind === kind && fault.event === 'began').length
  return {
    ...{ calls: calls.length, complete: ended('complete'), failed: ended('failed'), refused: ended('refused') },
    ...{ left: ended('left'), broken: ended('broken') },
    replayed: calls.filter((call) => call.ended?.isReplayed === true).length,
    recorded: ledger.requests.length,
    ...{ kills: faultsOf('kill'), pauses: faultsOf('pause'), 'long pauses': faultsOf('long pause') },
    ...{
      cuts: faultsOf('cut'),
      stalls: faultsOf('stall'),
      'read-only': faultsOf('read-only'),
      flushes: faultsOf('flush'),
    },
  }
}
