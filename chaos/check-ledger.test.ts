import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { scratchPath } from '../test/harness/scratch-path.ts'
import { checkLedger } from './check/check.ts'
import type { Evidence } from './check/evidence.ts'
import { receivedTokens } from './check/received-tokens.ts'
import { recordLedgerRun } from './record-ledger-run.ts'

/** One real run, which each test corrupts in its own way. */
let folder: string
let evidence: Evidence

beforeAll(async () => {
  folder = scratchPath()
  await recordLedgerRun({ folder, seed: 2, kills: 3, seconds: 600, lifeMs: 2500 })
  const checked = checkLedger(folder)
  expect(checked.violations).toEqual([])
  evidence = checked.evidence
}, 400_000)

/** The rules that a copy of the run breaks after a change to its ledger. */
const brokenRules = (sql: string, changeJournal = (line: string): string => line): string[] => {
  const copy = scratchPath()
  cpSync(folder, copy, { recursive: true })
  const db = new DatabaseSync(join(copy, 'data', 'helix.db'))
  db.exec(`PRAGMA foreign_keys = ON; DROP TRIGGER ledger_settlements_stay; ${sql}`)
  db.close()
  const journals = join(copy, 'journals')
  for (const name of readdirSync(journals)) {
    const lines = readFileSync(join(journals, name), 'utf8').split('\n')
    writeFileSync(join(journals, name), lines.map(changeJournal).join('\n'))
  }
  return [...new Set(checkLedger(copy).violations.map(({ rule }) => rule))].sort()
}

/** The ledger number of a completely answered request, with or without a key. */
const completed = ({ keyed = false } = {}) => {
  const found = evidence.cases.find(
    ({ asked, records: [record] }) =>
      asked.how === 'complete' &&
      (asked.idempotencyKey !== null) === keyed &&
      record?.settlements[0]?.outcome === 'completed',
  )
  const [record] = found?.records ?? []
  if (found === undefined || record === undefined) throw new Error('the run has no such request')
  return { ...found.asked, ...record }
}

/** A request that a kill interrupted after a checkpoint covered some of its tokens. */
const cutOff = () => {
  const found = evidence.cases.find((one) => {
    const [record] = one.records
    const written = record?.progress?.completionTokens ?? 0
    return record?.settlements[0]?.outcome === 'server_died' && written > 1 && receivedTokens(one).length >= written
  })
  const [record] = found?.records ?? []
  if (record === undefined) throw new Error('the run has no such request')
  return record
}

const addTokens = (sequence: number, tokens: number): string => `
  UPDATE ledger_settlements SET completion_tokens = completion_tokens + ${tokens} WHERE reservation = ${sequence};
  UPDATE usage_days SET completion_tokens = completion_tokens + ${tokens}
    WHERE (party, day) = (SELECT party, day FROM ledger_reservations JOIN ledger_settlements ON reservation = sequence
      WHERE sequence = ${sequence});`

test('the run as it was breaks no rule, and has seen what it is about', () => {
  expect(brokenRules('')).toEqual([])
  const outcomes = new Set(evidence.ledger.records.map(({ settlements }) => settlements[0]?.outcome))
  expect(outcomes).toContain('completed')
  expect(outcomes).toContain('server_died')
})

test('a settlement that is there twice is found', () => {
  const { sequence } = completed()
  const without = 'CREATE TABLE copies AS SELECT * FROM ledger_settlements; DROP TABLE ledger_settlements;'
  const doubled = `INSERT INTO ledger_settlements SELECT * FROM copies WHERE reservation = ${sequence};`
  const tables = `${without} CREATE TABLE ledger_settlements AS SELECT * FROM copies; ${doubled}`
  expect(brokenRules(tables)).toEqual(['never more', 'settled once', 'totals'])
})

test('a settlement that is gone is found', () => {
  const { sequence } = completed()
  const broken = brokenRules(`DELETE FROM ledger_settlements WHERE reservation = ${sequence}`)
  expect(broken).toEqual(expect.arrayContaining(['settled once', 'totals']))
})

test('a settlement that a kill found written, and that is another one now, is found', () => {
  const [requestId = ''] = evidence.journals.settledAtDeaths[0] ?? []
  const { sequence } = evidence.ledger.records.find((record) => record.requestId === requestId) ?? { sequence: 0 }
  expect(brokenRules(addTokens(sequence, 1))).toContain('nothing lost')
  expect(brokenRules(`DELETE FROM ledger_reservations WHERE sequence = ${sequence}`)).toContain('nothing lost')
})

test('one token too many is found, and one too few', () => {
  const { sequence } = completed()
  expect(brokenRules(addTokens(sequence, 1))).toEqual(expect.arrayContaining(['complete', 'never more']))
  expect(brokenRules(addTokens(sequence, -1))).toEqual(expect.arrayContaining(['complete', 'never less']))
})

test('a request that is in no book is found', () => {
  const { sequence } = completed()
  const broken = brokenRules(`DELETE FROM ledger_reservations WHERE sequence = ${sequence}`)
  expect(broken).toEqual(expect.arrayContaining(['recorded', 'totals']))
})

test('progress that was not written down is found', () => {
  const { sequence, settlements } = cutOff()
  const billed = settlements[0]?.completionTokens ?? 0
  const skipped = `DELETE FROM ledger_progress WHERE reservation = ${sequence}; ${addTokens(sequence, -billed)}
    UPDATE ledger_settlements SET prompt_tokens = 0, cached_tokens = 0 WHERE reservation = ${sequence};`
  expect(brokenRules(skipped)).toContain('never less')
})

test('a request that recovery closed beside its last checkpoint is found', () => {
  const { sequence } = cutOff()
  expect(brokenRules(`DELETE FROM ledger_progress WHERE reservation = ${sequence}`)).toEqual(['never less'])
})

test('a total that is no sum is found', () => {
  expect(brokenRules('UPDATE usage_days SET prompt_tokens = prompt_tokens + 1')).toEqual(['totals'])
})

test('a cost that the counts do not have is found', () => {
  const { sequence, settlements, price } = completed()
  expect(price).toBe('[1700000,300000,3000000]')
  expect(settlements[0]?.cost).toBeGreaterThan(0)
  const dearer = `UPDATE ledger_settlements SET cost = cost + 1 WHERE reservation = ${sequence}`
  expect(brokenRules(dearer)).toEqual(['cost', 'totals'])
})

test('a prompt of another length is found', () => {
  const { sequence } = completed()
  const longer = `UPDATE ledger_settlements SET prompt_tokens = prompt_tokens + 1 WHERE reservation = ${sequence}`
  expect(brokenRules(longer)).toEqual(expect.arrayContaining(['complete', 'prompt', 'totals']))
})

test('a key that was paid twice, or answers in two ways, is found', () => {
  const { question, requestId } = completed({ keyed: true })
  expect(brokenRules(`DELETE FROM replays WHERE request_id = '${requestId}'`)).toEqual(['one per key'])
  // A retry got the same tokens once more.
  const calls = evidence.journals.calls.filter((one) => one.question === question).map(({ call }) => call)
  const shorter = (line: string): string =>
    calls.some((call) => line.includes(`"token","call":"${call}"`)) ? '' : line
  expect(brokenRules('', shorter)).toContain('one per key')
})
