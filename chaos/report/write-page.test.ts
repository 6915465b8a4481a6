import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Judgement } from './judge.ts'
import type { GatewayResult, Results } from './results.ts'
import { scenarios } from './scenarios.ts'
import { writePage } from './write-page.ts'

const faultless: Judgement = {
  ...{ calls: 8, complete: 8, errors: 0, left: 0, sentTokens: 480, receivedTokens: 480, billedTokens: 480 },
  ...{ lostTokens: 0, twiceTokens: 0, excessTokens: 0, heldTokens: 0, over: null, wrongAnswers: 0 },
}
const gateway = (name: string, changes: Partial<Judgement>): GatewayResult => ({
  ...{
    name,
    version: 'v1',
    notes: ['SQLite.'],
    date: '2026-11-18',
    clients: 8,
    rounds: 5,
    machine: { cores: 2, load: 3 },
  },
  rows: [{ name: 'Gateway killed', what: 'SIGKILL.', judgement: { ...faultless, ...changes } }],
})
const lines = (results: Results): string[] => writePage(results).split('\n')

describe('The fault report', () => {
  test('says for each gateway what is lost, billed twice or over the limit, and nothing else', () => {
    const peer = gateway('peer', { lostTokens: 1656, over: 10, wrongAnswers: 2 })
    const page = lines({ gateways: [gateway('Helix', {}), peer], runs: [] })
    expect(page).toContain('|  | Helix v1 | peer v1 |')
    expect(page).toContain('| Gateway killed | 0 | lost: 1,656, over the limit: 10, wrong answers: 2 |')
    expect(page).toContain('| Gateway killed | 8 | 8 | 0 | 480 | 480 | 480 | **1,656** | 0 | 0 | 0 | **10** | **2** |')
  })

  test('says what was not measured', () => {
    const peer = { ...gateway('peer', {}), rows: [] }
    expect(lines({ gateways: [gateway('Helix', {}), peer], runs: [] })).toContain(
      '| Gateway killed | 0 | not measured |',
    )
  })

  test('shows the violations of a run, whatever they contain', () => {
    const run = {
      ...{ kind: 'ledger', date: '2026-11-18', seed: 7, seconds: 30, machine: { cores: 2, load: 3 } },
      ...{ coverage: { kills: 20, calls: 1234 }, violations: [{ rule: 'never less', detail: 'a | b\nc' }] },
    } satisfies Results['runs'][number]
    const row = lines({ gateways: [], runs: [run] }).find((line) => line.startsWith('| `npm run chaos -- ledger`'))
    expect(row).toContain('20 kills and 1,234 calls; 2026-11-18, 30 s, seed 7')
    expect(row).toContain('**never less**: a \\| b c |')
  })

  test('has names of scenarios that differ, because figures are found by them', () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
  })

  test('in the documents is written from the figures beside it', () => {
    const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    expect(read('fault-report.md')).toBe(writePage(JSON.parse(read('fault-report.json'))))
  })
})
