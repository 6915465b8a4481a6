import { beforeAll, expect, test } from 'vitest'
import { changeDatabase } from '../harness/change-database.ts'
import { runCommand } from '../harness/run-command.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** Midnight may pass at any moment, that of a month too: what the tests ask for began the day before. */
const from = ['--from', new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)]

let program: Program
let keys: { id: string; key: string }[]
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  program = await startProgram({ env: { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' } })
  keys = [await json('keys', 'create', '--name', 'first'), await json('keys', 'create', '--name', 'second')]
  for (const { key } of [...keys, ...keys.slice(0, 1)]) await ask(key)
})

const run = (...args: string[]) => runCommand([...args, '--data-dir', program.dataDir])
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
const ask = async (key: string): Promise<void> => {
  const response = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }),
  })
  await response.text()
  expect(response.status).toBe(200)
}

test('usage is shown by day, key and model, with the same total', async () => {
  const byDay = await json('usage', ...from)
  expect(byDay).toMatchObject({ group_by: 'day', time_zone: 'UTC', total: { requests: 3, failed_requests: 0 } })
  for (const { day } of byDay.data) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
  const ofDays = byDay.data.map(({ requests }: { requests: number }) => requests)
  expect(ofDays.reduce((sum: number, requests: number) => sum + requests, 0)).toBe(3)
  const byKey = await json('usage', ...from, '--by', 'key')
  expect(byKey.data.map(({ key_id, requests }: { key_id: string; requests: number }) => [key_id, requests])).toEqual([
    [keys[0]?.id, 2],
    [keys[1]?.id, 1],
  ])
  expect((await json('usage', ...from, '--by', 'model')).data).toEqual([
    { object: 'usage', model: 'theirs', ...byDay.total },
  ])
  const table = await run('usage', ...from, '--by', 'key')
  expect(table.stdout).toMatch(new RegExp(`^first \\(${keys[0]?.id}\\) +2 +0 `, 'm'))
  expect(table.stdout).toMatch(/^total +3 +0 /m)
})

test('a period without requests has no rows', async () => {
  const { code, stdout } = await run('usage', '--from', '2001-01-01', '--to', '2001-01-31')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No usage from 2001-01-01 to 2001-01-31 (UTC).\n' })
})

test('a period that ends before it begins is refused', async () => {
  const ended = await run('usage', '--from', '2026-02-02', '--to', '2026-02-01')
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining("'from'") })
})

test('totals are recounted from the ledger, with and without a running server, and wrong ones are listed', async () => {
  const good = await run('usage', '--verify')
  expect(good).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Checked 3 requests .*: all totals match\.\n$/),
  })
  await program.stop()
  expect((await run('usage', '--verify')).code).toBe(0)
  expect((await json('usage', ...from)).total.requests).toBe(3)

  const change = `UPDATE usage_days SET completion_tokens = completion_tokens + 7 WHERE (party, day) = (
    SELECT party, day FROM usage_days JOIN ledger_parties ON party = id WHERE key_id = '${keys[0]?.id}' LIMIT 1)`
  await changeDatabase(program, change)
  const bad = await run('usage', '--verify')
  expect(bad.code).toBe(1)
  expect(bad.stdout).toContain('Totals that do not match: 1')
  const { differences } = await json('usage', '--verify')
  expect(differences).toMatchObject([{ key_id: keys[0]?.id, model: 'theirs' }])
  expect(differences[0].kept.completion_tokens - differences[0].counted.completion_tokens).toBe(7)
})
