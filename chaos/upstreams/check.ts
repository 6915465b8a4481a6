import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LedgerRecord, readLedger } from '../check/read-ledger.ts'
import type { Violation } from '../check/violation.ts'
import { readJournal } from '../ledger/journal.ts'
import type { CallEntry, FaultEntry } from './journal.ts'
import { answerText, promptTokensOf, questionText, wordsOf } from './question.ts'

type Sent = Extract<CallEntry, { event: 'sent' }>
type Ended = Extract<CallEntry, { event: 'ended' }>
type Call = { sent: Sent; ended: Ended | null }

/** What the run covered, for the table before the verdict. */
export type Coverage = Record<
  'calls' | 'complete' | 'failed' | 'left' | 'retried' | 'continued' | 'kills' | 'pauses',
  number
>

/** Errors that three failing upstreams can cause. */
const expectedCodes = new Set(['upstream_failed', 'upstream_busy', 'queue_timeout', 'queue_full'])

/** Compares the ledger of a finished run with what the clients received. It shares no code with the server. */
export const checkUpstreamsRun = (folder: string): { coverage: Coverage; violations: Violation[] } => {
  const calls = readCalls(join(folder, 'journals'))
  const { records, openRecords } = readLedger(join(folder, 'data', 'helix.db'))
  const recordsOf = new Map(records.map((record) => [record.requestId, record]))
  const violations: Violation[] = []
  const report = (rule: string, detail: string): void => void violations.push({ rule, detail })
  for (const { sent, ended } of calls) {
    if (ended === null || ended.how === 'silent' || ended.how === 'broken') {
      report('no hang', `${sent.call}: ${ended?.how ?? 'never ended'}`)
      continue
    }
    if (ended.malformed > 0) report('well-formed', `${sent.call}: ${ended.malformed} unexpected events`)
    if (ended.code !== null && !expectedCodes.has(ended.code)) report('errors', `${sent.call}: ${ended.code}`)
    for (const detail of wrongTextOf(sent, ended)) report('whole text', `${sent.call}: ${detail}`)
    const record = ended.requestId === null ? undefined : recordsOf.get(ended.requestId)
    if (record === undefined) {
      if (ended.text !== '') report('recorded', `${sent.call} (${ended.requestId}) is not in the ledger`)
      continue
    }
    for (const detail of wrongCountsOf(sent, ended, record)) report('billed once', `${sent.call}: ${detail}`)
  }
  if (openRecords > 0) report('settled once', `${openRecords} requests are still open`)
  for (const { requestId, settlements } of records)
    if (settlements.length !== 1) report('settled once', `${requestId} has ${settlements.length} settlements`)
  const requested = new Set(calls.map(({ ended }) => ended?.requestId))
  const unknown = records.filter(({ requestId }) => !requested.has(requestId)).length
  const withoutHead = calls.filter(({ ended }) => ended?.requestId === null).length
  if (unknown > withoutHead) report('settled once', `${unknown} records, but only ${withoutHead} calls without a head`)
  const coverage = coverageOf(calls, folder)
  if (coverage.complete * 2 < coverage.calls) report('available', `only ${coverage.complete} of ${coverage.calls}`)
  return { coverage, violations }
}

const expectedWords = ({ id, words, maxTokens }: Sent): string[] =>
  wordsOf(answerText({ id, words, paceMs: 0 })).slice(0, maxTokens ?? words)

const wrongTextOf = (sent: Sent, ended: Ended): string[] => {
  const expected = expectedWords(sent).join('')
  if (ended.how !== 'complete') return expected.startsWith(ended.text) ? [] : ['not the beginning of the answer']
  const reason = sent.maxTokens !== null && sent.maxTokens < sent.words ? 'length' : 'stop'
  return [
    ...(ended.text === expected ? [] : [`received '…${ended.text.slice(-20)}', expected '…${expected.slice(-20)}'`]),
    // An upstream that breaks off after its last allowed word has not said whether there is more.
    ...(ended.finishReason === reason || ended.finishReason === 'length' ? [] : [`ended with ${ended.finishReason}`]),
  ]
}

const wrongCountsOf = (sent: Sent, ended: Ended, { settlements: [settlement] }: LedgerRecord): string[] => {
  if (settlement === undefined) return []
  const { promptTokens, completionTokens, isEstimated, outcome } = settlement
  const received = wordsOf(ended.text).length
  const prompt = promptTokensOf([questionText({ id: sent.id, words: sent.words, paceMs: 0 })])
  const wrong: string[] = []
  if (promptTokens > prompt || (promptTokens < prompt && !isEstimated && outcome === 'completed'))
    wrong.push(`${promptTokens} prompt tokens instead of ${prompt}`)
  if (ended.how === 'complete') {
    if (outcome !== 'completed') wrong.push(`complete, but recorded as ${outcome}`)
    // Nobody counted the words of a JSON answer if its upstream did not.
    const isExact = sent.stream || !isEstimated
    if (isExact ? completionTokens !== received : completionTokens > received)
      wrong.push(`${completionTokens} tokens billed, ${received} received`)
    if (ended.completionTokens !== completionTokens) wrong.push(`usage says ${ended.completionTokens}`)
  } else if (ended.how === 'failed' && completionTokens !== received) {
    wrong.push(`${completionTokens} tokens billed before the error, ${received} received`)
  } else if (ended.how === 'refused' && completionTokens !== 0) {
    wrong.push(`${completionTokens} tokens billed for an error`)
  } else if (ended.how === 'left' && (completionTokens < received || completionTokens > expectedWords(sent).length)) {
    wrong.push(`${completionTokens} tokens billed, ${received} received before leaving`)
  }
  return wrong
}

const readCalls = (journals: string): Call[] => {
  const calls = new Map<string, Call>()
  for (const file of readdirSync(journals).filter((name) => name.startsWith('client-')))
    for (const { at: _, ...entry } of readJournal<CallEntry>(join(journals, file))) {
      const known = calls.get(entry.call)
      if (entry.event === 'sent') calls.set(entry.call, { sent: entry, ended: null })
      else if (known !== undefined) known.ended = entry
    }
  return [...calls.values()]
}

const coverageOf = (calls: readonly Call[], folder: string): Coverage => {
  const ended = (how: Ended['how']): number => calls.filter((call) => call.ended?.how === how).length
  const faults = readJournal<FaultEntry>(join(folder, 'journals', 'faults.jsonl'))
  const retries = readFileSync(join(folder, 'server.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"upstream_retry"'))
    .map((line): { sentTokens: number } => JSON.parse(line))
  return {
    calls: calls.length,
    complete: ended('complete'),
    failed: ended('failed') + ended('refused'),
    left: ended('left'),
    retried: retries.filter(({ sentTokens }) => sentTokens === 0).length,
    continued: retries.filter(({ sentTokens }) => sentTokens > 0).length,
    kills: faults.filter(({ event }) => event === 'killed').length,
    pauses: faults.filter(({ event }) => event === 'paused').length,
  }
}
