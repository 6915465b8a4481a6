import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../harness/run-command.ts'
import { runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const keysIn = (dataDir: string, start: typeof runCommand = runCommand) => ({
  run: (...args: string[]) => start(['keys', ...args, '--data-dir', dataDir]),
  /** Whatever it prints has to be one JSON value. */
  json: async (...args: string[]) => {
    const { code, stdout, stderr } = await start(['keys', ...args, '--json', '--data-dir', dataDir])
    expect(stderr).toBe('')
    return { code, value: JSON.parse(stdout) }
  },
})
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

let program: Program
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'Hello'))
  const env = { HELIX_UPSTREAM_URL: baseUrl, HELIX_UPSTREAM_MODEL: 'theirs' }
  program = await startProgram({ env })
})
const modelsWith = (key: string): Promise<Response> =>
  fetch(`${program.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })

const places = {
  'without a server': () => join(scratch, 'data'),
  'through the running server': () => program.dataDir,
}
const scratch = scratchPath()

describe.each(Object.entries(places))('%s', (_, place) => {
  test('a key is created, listed without its secret, and revoked', async () => {
    const keys = keysIn(place())
    const created = await keys.json('create', '--name', '最初の鍵', '--expires', '2d')
    expect(created.code).toBe(0)
    expect(created.value).toMatchObject({
      id: expect.stringMatching(/^key_\w{24}$/),
      key: expect.stringMatching(/^hx_live_\w{39}$/),
      name: '最初の鍵',
      state: 'active',
    })
    const { id, key } = created.value
    const listed = (await keys.json('list')).value.find((each: { id: string }) => each.id === id)
    expect(listed).toEqual({ ...created.value, key: undefined })

    expect(await keys.json('revoke', id)).toEqual({ code: 0, value: { id, outcome: 'revoked' } })
    expect(await keys.json('revoke', id)).toEqual({ code: 0, value: { id, outcome: 'already_revoked' } })
    const table = await keys.run('list')
    expect(table.stdout).toMatch(new RegExp(`^${id}  最初の鍵  .*  revoked  `, 'm'))
    expect(table.stdout).not.toContain(key)
  })

  test('a key is created with every option, and shown with them', async () => {
    const keys = keysIn(place())
    const limits = [
      '--rpm',
      '60',
      '--tpm',
      '40000',
      '--in-flight',
      '2',
      '--budget-daily',
      '1000',
      '--budget-monthly',
      '9000',
      '--cost-daily',
      '2.50',
    ]
    const rights = ['--scopes', 'chat, models', '--models', 'a,b', '--cidr', '10.1.2.3/8,::1']
    const { value } = await keys.json('create', '--name', 'narrow', '--expires', '2199-12-31', ...limits, ...rights)
    expect(value).toMatchObject({
      scopes: ['chat', 'models'],
      models: ['a', 'b'],
      networks: ['10.0.0.0/8', '::1'],
      limits: {
        requests_per_minute: 60,
        tokens_per_minute: 40_000,
        requests_in_flight: 2,
        tokens_per_day: 1_000,
        tokens_per_month: 9_000,
        cost_per_day_micros: 2_500_000,
        cost_per_month_micros: null,
      },
      expires_at: '2199-12-31T23:59:59.999Z',
      last_used_at: null,
    })
    const { stdout } = await keys.run('list')
    const shown =
      'chat,models  60 rpm, 40000 tpm, 2 in flight, 1000 tokens/day, 9000 tokens/month, 2.5 cost/day, a b, 10.0.0.0/8 ::1'
    expect(stdout).toContain(shown)
  })

  test('a rotated key has a new secret, found by its name', async () => {
    const keys = keysIn(place())
    const { value: made } = await keys.json('create', '--name', 'turning')
    const rotated = await keys.run('rotate', 'turning', '--grace', '2h')
    expect(rotated.code).toBe(0)
    expect(rotated.stdout).toMatch(/^hx_live_\w{39}\n$/)
    expect(rotated.stderr).toMatch(/works until \d{4}-/)
    const again = await keys.json('rotate', made.id, '--grace', '0')
    expect(again.value).toMatchObject({ id: made.id, previous_secret_until: null })
    expect(again.value.last_four).not.toBe(made.last_four)
    const tooLong = await keys.run('rotate', made.id, '--grace', '31d')
    expect(tooLong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('30 days') })
    expect(await keys.run('rotate', 'nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') })
    await keys.json('create', '--name', 'turning')
    const unclear = await keys.run('rotate', 'turning')
    expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining("several keys are named 'turning'") })
  })

  test.each([
    [['--scopes', 'chat,admin'], "unknown scope 'admin'"],
    [['--scopes', 'manage,chat'], 'cannot be combined'],
    [['--cidr', '10.0.0.0/64'], "'10.0.0.0/64' is not"],
    [['--models', ','], 'specify at least one'],
    [['--expires', '2001-01-01'], 'in the future'],
  ])('%j is refused with a reason', async (options, reason) => {
    const { code, stdout, stderr } = await keysIn(place()).run('create', '--name', 'x', ...options)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^helix: [^\n]*\n$/)
    expect(stderr).toContain(reason)
  })

  test('on a terminal only the key is on standard output', async () => {
    const { code, stdout, stderr } = await keysIn(place()).run('create', '--name', 'x')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^hx_live_\w{39}\n$/)
    expect(stderr).not.toContain(stdout.trim())
  })

  test('an unknown id and an invalid name are refused with exit code 1', async () => {
    const keys = keysIn(place())
    expect(await keys.json('revoke', 'key_none')).toEqual({ code: 1, value: { id: 'key_none', outcome: 'not_found' } })
    const unknown = await keys.run('revoke', 'key_none')
    expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]*key_none[^\n]*\n$/) })
    const nameless = await keys.run('create', '--name', '')
    expect(nameless).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^helix: [^\n]*name[^\n]*\n$/),
    })
  })
})

test('having no keys is not an error', async () => {
  const dataDir = join(scratch, 'empty')
  expect(await keysIn(dataDir, runProgram).json('list')).toEqual({ code: 0, value: [] })
  expect((await keysIn(dataDir, runProgram).run('list')).stdout).toContain('helix keys create')
})

test('a key works from the moment it is printed until the moment it is revoked', async () => {
  const keys = keysIn(program.dataDir, runProgram)
  const { value } = await keys.json('create', '--name', 'short')
  expect((await modelsWith(value.key)).status).toBe(200)
  await keys.run('revoke', value.id)
  expect((await modelsWith(value.key)).status).toBe(401)
})

test('in its grace period a rotated key works with both secrets', async () => {
  const keys = keysIn(program.dataDir)
  const { value } = await keys.json('create', '--name', 'graceful')
  const { value: rotated } = await keys.json('rotate', value.id)
  expect((await modelsWith(value.key)).status).toBe(200)
  expect((await modelsWith(rotated.key)).status).toBe(200)
  await keys.json('rotate', value.id, '--grace', '0')
  expect((await modelsWith(rotated.key)).status).toBe(401)
})

test('a key that was created before startup works after it', async () => {
  const dataDir = join(scratch, 'before')
  const { value } = await keysIn(dataDir, runProgram).json('create', '--name', 'early')
  const env = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'theirs' }
  const later = await startProgram({ dataDir, env })
  const response = await fetch(`${later.url}/v1/models`, { headers: { authorization: `Bearer ${value.key}` } })
  expect(response.status).toBe(200)
  expect(await later.stop()).toBe(0)
})

test('only the owner of the data directory can read the data or use the socket', () => {
  const { dataDir } = program
  expect(modeOf(dataDir)).toBe('700')
  for (const file of ['helix.sock', 'helix.db', 'helix.lock']) expect(modeOf(join(dataDir, file))).toBe('600')
})

test('the routes of the socket are not available over the network', async () => {
  const key = await program.createKey()
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${program.url}/control/keys`, { headers })).status).toBe(404)
  const outgoing = request({ socketPath: join(program.dataDir, 'helix.sock'), path: '/control/keys' }).end()
  const [response] = await once(outgoing, 'response')
  expect(response.resume().statusCode).toBe(200)
})

test('a second server on the same directory exits with one line, and the first continues', async () => {
  const { code, stdout, stderr } = await runProgram(['serve', '--port', '0', '--data-dir', program.dataDir])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^helix: [^\n]+\n$/)
  expect(stderr).toContain(program.dataDir)
  expect((await modelsWith(await program.createKey())).status).toBe(200)
})

test('a data directory that is a file is named by every command', async () => {
  const file = '/dev/null'
  for (const args of [
    ['keys', 'list'],
    ['chat', 'Hi'],
  ]) {
    const { code, stderr } = await runProgram([...args, '--data-dir', file])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^helix: [^\n]*\/dev\/null[^\n]*\n$/)
  }
})

test('a server that exits during a command is a one-line error', async () => {
  const dataDir = scratchPath()
  const dying = createServer(({ url }, response) => (url === '/healthz' ? response.end('{}') : response.destroy()))
  dying.listen(join(dataDir, 'helix.sock'))
  await once(dying, 'listening')
  const { code, stdout, stderr } = await keysIn(dataDir).run('list')
  dying.close()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^helix: The server closed the connection[^\n]*\n$/)
})

test('a server that does not respond is a one-line error', async () => {
  const dataDir = scratchPath()
  const hung = createServer(() => {})
  hung.listen(join(dataDir, 'helix.sock'))
  await once(hung, 'listening')
  const { code, stderr } = await keysIn(dataDir).run('list')
  hung.close()
  hung.closeAllConnections()
  expect(code).toBe(1)
  expect(stderr).toMatch(/^helix: The server using [^\n]* is running but not responding[^\n]*\n$/)
})
