import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultWorkers } from '../../src/config/default-workers.ts'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { keepOneClock } from '../harness/one-clock.ts'
import { runCommand } from '../harness/run-command.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { startHelix } from '../harness/start-helix.ts'

type Check = { node: string; check: string; state: string; ok: boolean; detail: string }

const examine = async (dataDir: string, env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', '--data-dir', dataDir], env)
  expect(stderr).toBe('')
  const { ok, source, checks }: { ok: boolean; source: string; checks: Check[] } = JSON.parse(stdout)
  expect(code).toBe(ok ? 0 : 1)
  const find = (name: string) => checks.find(({ check }) => check === name)
  return { ok, source, names: checks.map(({ check }) => check), find }
}

test('the running server is asked, and not the settings of the command', async () => {
  const helix = await startHelix({ config: { nodeName: 'one' } })
  // With these, the command itself would find a wrong port, a missing model and a certificate that does not exist.
  const env = { HELIX_PORT: '1', HELIX_MODEL: '/nowhere', HELIX_TLS_CERT: '/nowhere', HELIX_TLS_KEY: '/nowhere' }
  const { ok, source, names, find } = await examine(helix.dataDir, env)
  expect(source).toBe('server')
  expect(names).toEqual([
    ...['runtime', 'settings', 'data directory', 'disk', 'database', 'clock', 'ledger', 'backup', 'redis', 'models'],
    ...['gpu', 'upstreams', 'port', 'tls', 'public address', 'connection'],
  ])
  expect(ok).toBe(find('disk')?.ok)
  expect(find('models')).toMatchObject({ node: 'one', state: 'ok', detail: 'helix-v1 is ready' })
  expect(find('port')?.detail).toBe(`listens on ${helix.url}`)
  expect(find('connection')).toMatchObject({ state: 'ok', detail: `${helix.url} answers` })
  expect(find('tls')?.detail).toBe('off (plain HTTP)')
  expect(find('backup')).toMatchObject({ state: 'warning', ok: true })

  const file = join(scratchPath(), 'copy.db')
  expect((await runCommand(['backup', file, '--data-dir', helix.dataDir])).code).toBe(0)
  expect((await examine(helix.dataDir)).find('backup')).toMatchObject({
    state: 'ok',
    detail: 'the last one is 0 hours old',
  })
  const { stdout } = await runCommand(['doctor', '--data-dir', helix.dataDir])
  expect(stdout).toMatch(/^The server that is running on .* reports:\n\n +CHECK +RESULT\nok +runtime /)
})

test('a certificate that ends soon, and a changed file of settings are named', async () => {
  const clock = createManualClock(Date.UTC(2002, 0, 1))
  const folder = scratchPath()
  const [tlsCert, tlsKey] = [join(folder, 'a.crt'), join(folder, 'a.key')]
  const pair = createSelfSigned({ now: clock.now(), validUntil: Date.UTC(2002, 0, 10) })
  writeFileSync(tlsCert, pair.certPem)
  writeFileSync(tlsKey, pair.keyPem)
  const dataDir = scratchPath()
  keepOneClock(dataDir, clock)
  const helix = await startHelix({ clock, config: { tlsCert, tlsKey, dataDir }, hasConfigChanged: async () => true })
  const answer = await helix.control('GET', '/control/diagnosis')
  expect(answer).toMatchObject({
    data: [
      {
        is_own: true,
        checks: expect.arrayContaining([
          expect.objectContaining({
            check: 'tls',
            state: 'warning',
            detail: 'the certificate is valid until 2002-01-10',
          }),
          expect.objectContaining({ check: 'settings', state: 'warning', detail: expect.stringContaining('restart') }),
        ]),
      },
    ],
  })
  clock.advance(10 * 86_400_000)
  expect(JSON.stringify(await helix.control('GET', '/control/diagnosis'))).toContain(
    '"state":"failed","detail":"the certificate expired on 2002-01-10"',
  )
})

test('a server whose first upstream was added says how many workers a restart would give it', async () => {
  const helix = await startHelix({ defaultWorkers: (hasUpstreams) => defaultWorkers(hasUpstreams, 4) })
  const runtime = async () => (await examine(helix.dataDir)).find('runtime')
  expect(await runtime()).toMatchObject({ state: 'ok', detail: expect.not.stringContaining('worker') })
  const upstream = { name: 'one', url: 'http://127.0.0.1:1/v1', models: [{ name: 'big' }] }
  expect(await helix.control('POST', '/control/upstreams', upstream)).toMatchObject({ name: 'one' })
  expect(await runtime()).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/after a restart it would have 3 workers, because of the upstreams that it has now$/),
  })
})

test('the doctor warns that a proxy on the same machine needs a public address', async () => {
  const without = await startHelix()
  const warning = {
    state: 'warning',
    ok: true,
    detail: expect.stringMatching(/HELIX_PUBLIC_URL.*proxy on this machine/),
  }
  expect((await examine(without.dataDir)).find('public address')).toMatchObject(warning)
  const named = await startHelix({ config: { publicUrl: 'https://chat.example.com' } })
  const found = (await examine(named.dataDir)).find('public address')
  expect(found).toMatchObject({ state: 'ok', detail: 'https://chat.example.com' })
  // Without a server, its settings are examined.
  const { source, find } = await examine(scratchPath())
  expect(source).toBe('settings')
  expect(find('public address')).toMatchObject(warning)
})

test('so does the check before an upgrade', async () => {
  const check = (env: Record<string, string>) =>
    runCommand(['upgrade', '--check', '--data-dir', scratchPath()], env).then(({ stdout }) => stdout)
  expect(await check({})).toMatch(/\nWarning: .*HELIX_PUBLIC_URL.*proxy on this machine needs it\.\n/)
  expect(await check({ HELIX_PUBLIC_URL: 'https://chat.example.com' })).not.toContain('Warning')
})
