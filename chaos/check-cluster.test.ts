import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchPath } from '../test/harness/scratch-path.ts'
import { checkClusterRun } from './cluster/check.ts'
import type { LedgerDump } from './cluster/dump-ledger.ts'
import { answerText, promptTokensOf, questionText } from './upstreams/question.ts'

type Line = Record<string, unknown>
type Run = { calls: Line[]; faults: Line[]; keys: Line[]; clocks: Line[]; log: Line[]; ledger: LedgerDump }

const question = { id: 'q10001', words: 5, paceMs: 0 }
const prompt = promptTokensOf([questionText(question)])

const sent = (call: string, more: Line = {}): Line => ({
  ...{ at: 1_000, event: 'sent', call, id: 'q10001', words: 5, stream: true, maxTokens: null },
  ...{ node: 'node-1', life: 1, keyId: 'key_1', isKeyed: false },
  ...more,
})
const ended = (call: string, more: Line = {}): Line => ({
  ...{ at: 2_000, event: 'ended', call, how: 'complete', requestId: `req_${call}`, status: 200, code: null },
  ...{ text: answerText(question), finishReason: 'stop', completionTokens: 5, malformed: 0, isReplayed: false },
  ...more,
})
const billed = (call: string, more: Partial<LedgerDump['requests'][number]> = {}): LedgerDump['requests'][number] => ({
  ...{ requestId: `req_${call}`, node: 'id_1', keyId: 'key_1', createdAt: 1_000, outcome: 'completed' },
  ...{ promptTokens: prompt, completionTokens: 5, isEstimated: 0 },
  ...more,
})

const ledgerOf = (...requests: LedgerDump['requests']): LedgerDump => {
  const tokens = requests.reduce((sum, one) => sum + (one.promptTokens ?? 0) + (one.completionTokens ?? 0), 0)
  return { requests, days: [{ requests: requests.length, tokens }] }
}

const check = (run: Partial<Run>): string[] => {
  const folder = scratchPath()
  mkdirSync(join(folder, 'journals'))
  const { calls = [], faults = [], keys = [], clocks = [], log = [], ledger = ledgerOf() } = run
  const linesOf = (lines: Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  for (const [name, lines] of Object.entries({ 'client-1': calls, faults, keys, clocks }))
    writeFileSync(join(folder, 'journals', `${name}.jsonl`), linesOf(lines))
  mkdirSync(join(folder, 'node-1'))
  writeFileSync(join(folder, 'node-1', 'server.log'), linesOf(log))
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(ledger))
  return checkClusterRun(folder).violations.map(({ rule }) => rule)
}

test('a run without faults has no violations', () => {
  expect(check({ calls: [sent('1'), ended('1')], ledger: ledgerOf(billed('1')) })).toEqual([])
})

test('a key near the end of its budget may get the beginning of an answer, others may not', () => {
  const text = answerText({ ...question, words: 2 })
  const calls = [sent('1'), ended('1', { text, finishReason: 'length', completionTokens: 2 })]
  const ledger = ledgerOf(billed('1', { completionTokens: 2 }))
  expect(check({ calls, ledger, keys: [{ keyId: 'key_1', requestsPerMinute: null, tokensPerDay: 6_000 }] })).toEqual([])
  expect(check({ calls, ledger })).toEqual(['whole text'])
})

const killed = (part: string): Line[] => [{ at: 1_500, event: 'began', kind: 'kill', part }]
const keyed = { isKeyed: true }

test.each<[string, Partial<Run>, string[]]>([
  ['a call that never ends', { calls: [sent('1')] }, ['no hang', 'available']],
  [
    'a connection that breaks at a living node',
    { calls: [sent('1'), ended('1', { how: 'broken', text: '' })] },
    ['no hang', 'available'],
  ],
  [
    'a key that is suddenly wrong',
    { calls: [sent('1'), ended('1', { how: 'refused', status: 401, code: 'invalid_api_key', text: '' })] },
    ['errors', 'available'],
  ],
  [
    'a text with a gap',
    { calls: [sent('1'), ended('1', { text: 'b1 b3 ' })], ledger: ledgerOf(billed('1', { completionTokens: 2 })) },
    ['whole text'],
  ],
  [
    'a key without limits that had to wait for them',
    { calls: [sent('1'), ended('1', { how: 'refused', status: 503, code: 'limits_unavailable', text: '' })] },
    ['unlimited', 'available'],
  ],
  ['an answer that is not in the ledger', { calls: [sent('1'), ended('1')] }, ['lost']],
  [
    'a token too many',
    { calls: [sent('1'), ended('1')], ledger: ledgerOf(billed('1', { completionTokens: 6 })) },
    ['billed', 'billed'],
  ],
  [
    'a request that stays open',
    {
      calls: [sent('1'), ended('1')],
      ledger: {
        requests: [billed('1', { outcome: null, promptTokens: null, completionTokens: null })],
        days: [{ requests: 0, tokens: 0 }],
      },
    },
    ['settled'],
  ],
  [
    'two executions for one key',
    { calls: [sent('1', keyed), ended('1'), sent('2', keyed), ended('2')], ledger: ledgerOf(billed('1'), billed('2')) },
    ['billed twice'],
  ],
  [
    'totals that are no sums',
    { calls: [sent('1'), ended('1')], ledger: { ...ledgerOf(billed('1')), days: [{ requests: 2, tokens: 1 }] } },
    ['totals', 'totals'],
  ],
  [
    'a budget that is passed',
    {
      calls: [sent('1'), ended('1')],
      keys: [{ keyId: 'key_1', requestsPerMinute: null, tokensPerDay: 10 }],
      ledger: ledgerOf(billed('1')),
    },
    ['budgets'],
  ],
  [
    'a rate that is passed',
    {
      calls: [sent('1'), ended('1'), sent('2'), ended('2')],
      keys: [{ keyId: 'key_1', requestsPerMinute: 1, tokensPerDay: null }],
      ledger: ledgerOf(billed('1'), billed('2')),
    },
    ['rates'],
  ],
  [
    'a request that nobody sent',
    { calls: [sent('1'), ended('1')], ledger: ledgerOf(billed('1'), billed('2')) },
    ['requested'],
  ],
  [
    'a rate that is passed by the clock of the run, although that of the node is wrong',
    {
      calls: [sent('1'), ended('1'), sent('2', { node: 'node-2' }), ended('2')],
      keys: [{ keyId: 'key_1', requestsPerMinute: 1, tokensPerDay: null }],
      clocks: [{ node: 'node-2', aheadMs: 90_000 }],
      ledger: ledgerOf(billed('1'), billed('2', { node: 'id_2', createdAt: 91_500 })),
    },
    ['rates'],
  ],
  [
    'an answer that is billed as if its server had died',
    { calls: [sent('1'), ended('1')], ledger: ledgerOf(billed('1', { outcome: 'server_died', completionTokens: 2 })) },
    ['billed', 'billed'],
  ],
])('%s is found', (_, run, rules) => {
  expect(check(run)).toEqual(rules)
})

test('what a fault explains is no violation', () => {
  const broken = [sent('1'), ended('1', { how: 'broken', text: '' })]
  const others = [sent('2'), ended('2'), sent('3'), ended('3')]
  const ledger = ledgerOf(billed('2'), billed('3'))
  expect(check({ calls: [...broken, ...others], faults: killed('node-1'), ledger })).toEqual([])
  expect(check({ calls: [...broken, ...others], faults: killed('node-2'), ledger })).toEqual(['no hang'])
  const keys = [{ keyId: 'key_1', requestsPerMinute: 1, tokensPerDay: null }]
  const away = [{ at: 900, event: 'began', kind: 'kill', part: 'redis' }]
  expect(check({ calls: others, faults: away, keys, ledger })).toEqual([])
})

test('a complete answer is billed in full, although the lease of its node had ended', () => {
  const log = [{ time: new Date(1_900).toISOString(), event: 'node_lease_expired', silentMs: 800 }]
  const less = ledgerOf(billed('1', { outcome: 'server_died', completionTokens: 2 }))
  expect(check({ calls: [sent('1'), ended('1')], log, ledger: less })).toEqual(['billed', 'billed'])
})

test('one with a key may be billed for less than was sent, but not more, because others may have executed it again', () => {
  const calls = [sent('1', keyed), ended('1')]
  const log = [{ time: new Date(1_900).toISOString(), event: 'node_lease_expired', silentMs: 800 }]
  const died = { outcome: 'server_died' }
  expect(check({ calls, log, ledger: ledgerOf(billed('1', { ...died, completionTokens: 2 })) })).toEqual([])
  expect(check({ calls, log, ledger: ledgerOf(billed('1', { ...died, completionTokens: 6 })) })).toContain('billed')
  const away = [
    { at: 1_500, event: 'began', kind: 'read-only', part: 'postgres' },
    { at: 2_500, event: 'over', kind: 'read-only', part: 'postgres' },
  ]
  const later = [{ ...log[0], time: new Date(9_000).toISOString(), silentMs: 6_000 }]
  const less = ledgerOf(billed('1', { ...died, completionTokens: 2 }))
  expect(check({ calls, log: later, ledger: less })).toContain('billed')
  expect(check({ calls, log: later, faults: away, ledger: less })).toEqual([])
  const ofOther = [{ time: new Date(1_900).toISOString(), event: 'node_ended', name: 'node-1', node: 'id_1' }]
  expect(check({ calls, log: ofOther, ledger: less })).toEqual([])
  expect(check({ calls, log: [{ ...ofOther[0], name: 'node-2' }], ledger: less })).toContain('billed')
  const before = [{ ...log[0], time: new Date(500).toISOString() }]
  expect(check({ calls, log: before, ledger: ledgerOf(billed('1', { ...died, completionTokens: 2 })) })).toContain(
    'billed',
  )
})
