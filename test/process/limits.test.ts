import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../harness/run-command.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

let program: Program
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  program = await startProgram({ env: { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' } })
})

const places = {
  'without a server': () => join(scratch, 'data'),
  'through the running server': () => program.dataDir,
}
const scratch = scratchPath()

type Line = { scope: string; name: string; limit: number; used: number; remaining: number }

const open = (dataDir: string) => {
  const run = (...args: string[]) => runCommand([...args, '--data-dir', dataDir])
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  /** `key requests_per_minute 60` */
  const lines = ({ limit_use }: { limit_use: Line[] }) =>
    limit_use.map(({ scope, name, limit }) => `${scope} ${name} ${limit}`)
  return { run, json, lines }
}

describe.each(Object.entries(places))('%s', (_, place) => {
  test('the limits of a key are shown with those of its organisation and the server, and changed one by one', async () => {
    const { run, json, lines } = open(place())
    const { id, organisation_id } = await json('keys', 'create', '--name', 'limited', '--rpm', '5')
    const shown = await json('limits', 'show', id)
    expect(shown).toMatchObject({ key: { id, name: 'limited' }, organisation: { id: organisation_id } })
    expect(lines(shown)).toEqual(['key requests_per_minute 5'])
    const cost = ['--cost-daily', '12.50']
    const changed = await json('limits', 'set', 'limited', '--rpm', 'none', '--budget-monthly', '1000', ...cost)
    expect(lines(changed)).toEqual(['key tokens_per_month 1000', 'key cost_per_day_micros 12500000'])
    const table = await run('limits', 'show', 'limited')
    expect(table.stdout).toMatch(/^Limits for key 'limited' \(key_\w+, active\) in organisation '/)
    expect(table.stdout).toMatch(/^key +tokens per month +1000 +0 +1000 +-$/m)
    expect(table.stdout).toMatch(/^key +cost per day +12.5 USD +0 USD +12.5 USD +-$/m)
  })

  test('requests per day are an option, a line of the table and a part of the list of keys', async () => {
    const { run, json, lines } = open(place())
    const { id } = await json('keys', 'create', '--name', 'daily', '--rpd', '300')
    expect(lines(await json('limits', 'show', id))).toEqual(['key requests_per_day 300'])
    expect((await run('limits', 'set', id, '--rpd', '0')).stderr).toContain('--rpd must be a whole number of 1 or more')
    expect((await run('limits', 'show', id)).stdout).toMatch(/^key +requests per day +300 +0 +300 +-$/m)
    expect((await run('keys', 'list')).stdout).toContain('300 requests/day')
  })

  test('the organisation of the server has the limits that it was given, and none by default', async () => {
    const { run, json, lines } = open(place())
    const { organisation_id: id } = await json('keys', 'create', '--name', 'x')
    const changed = await json('limits', 'set', id, '--rpm', '600', '--tpm', 'none', '--budget-daily', '7')
    expect(lines(changed)).toEqual(['organisation requests_per_minute 600', 'organisation tokens_per_day 7'])
    expect(changed.organisation.limits).toMatchObject({
      requests_per_minute: 600,
      tokens_per_minute: 0,
      tokens_per_day: 7,
    })
    const back = ['--rpm', 'default', '--tpm', 'default', '--budget-daily', 'default']
    expect(lines(await json('limits', 'set', id, ...back))).toEqual([])
    expect((await run('limits', 'show', id)).stdout).toContain(`(${id}):`)
  })

  test('an unknown id is a one-line error', async () => {
    const { run } = open(place())
    for (const [args, subject] of [
      [['show', 'nobody'], 'nobody'],
      [['show', 'org_none'], 'org_none'],
      [['set', 'key_none', '--rpm', '1'], 'key_none'],
    ] as const) {
      const { code, stdout, stderr } = await run('limits', ...args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^helix: No [^\\n]*'${subject}'[^\\n]*\\n$`))
    }
  })
})

test('a limit that is set while the server runs applies to the next request', async () => {
  const { json, run } = open(program.dataDir)
  const { id, key } = await json('keys', 'create', '--name', 'soon limited')
  const ask = async () => {
    const response = await fetch(`${program.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'theirs', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }),
    })
    await response.text()
    return response.status
  }
  expect(await ask()).toBe(200)
  await run('limits', 'set', id, '--rpm', '2')
  expect(await ask()).toBe(200)
  expect(await ask()).toBe(429)
  const { limit_use } = await json('limits', 'show', id)
  expect(limit_use[0]).toMatchObject({ scope: 'key', name: 'requests_per_minute', limit: 2, used: 2, remaining: 0 })
})
