import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/base/version.ts'
import { environmentName, settingNames, settings } from '../../src/config/settings.ts'
import { createSelfSigned } from '../../src/http/tls/self-signed.ts'
import { examineRedis } from '../../src/redis/examine-redis.ts'
import { documentedBlock } from '../harness/documented-block.ts'
import { findProxy } from '../harness/proxies.ts'
import { startRedis } from '../harness/redis/start-redis.ts'
import { startedRedis } from '../harness/redis/started-redis.ts'
import { repository, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const read = (path: string): string => readFileSync(join(repository, 'deploy', path), 'utf8')
const figure = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))?.[1])
const haproxy = await findProxy('haproxy')
const { program: redis = null } = (await startedRedis()) ?? {}

/** How long a supervisor waits: ten seconds more than running requests have. */
const stopSeconds = settings.shutdownGraceMs.default / 1000 + 10

test('every variable in deploy/ is a setting: an unknown one prevents the start', () => {
  const files = globSync(['Dockerfile*', '*.service', '*.conf', 'compose/*', 'helm/**/*.yaml'], {
    cwd: join(repository, 'deploy'),
  })
  // The image's own name in the compose file.
  const known = [...settingNames.map(environmentName), 'HELIX_IMAGE']
  const unknown = files.flatMap((file) =>
    [...read(file).matchAll(/\b(HELIX_[A-Z_]*[A-Z])\b/g)]
      .filter(([, name = '']) => !known.includes(name))
      .map(([, name]) => `${file}: ${name}`),
  )
  expect(files).toContain('compose/compose.yaml')
  expect(unknown).toEqual([])
})

test('the settings of the chart exist, and its variables are named as ours', () => {
  const block = /\nsettings:\n((?: {2}\w.*\n)+)/.exec(read('helm/helix/values.yaml'))?.[1] ?? ''
  const names = [...block.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  expect(names).toEqual(['shutdownGraceMs', 'shutdownDelayMs'])
  for (const name of names) expect(settingNames).toContain(name)
  // Sprig's snakecase, which the chart uses, on our names.
  const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  const secrets = settingNames.filter((name) => 'secret' in settings[name])
  expect(secrets.map((name) => `HELIX_${snakeCase(name)}`)).toEqual(secrets.map(environmentName))
})

test('the base of the image is named by its digest, and nothing else is its base', () => {
  const lines = read('Dockerfile').split('\n')
  const bases = lines.filter((line) => /^(ARG BASE|FROM)\b/.test(line))
  expect(bases).toEqual([
    expect.stringMatching(/^ARG BASE=docker\.io\/library\/debian:12-slim@sha256:[\da-f]{64}$/),
    expect.stringMatching(/^FROM \$\{BASE\} AS unpacked$/),
    expect.stringMatching(/^FROM \$\{BASE\}$/),
  ])
})

test('supervisors wait until a stopping server has ended', () => {
  expect(figure('helix.service', /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThanOrEqual(stopSeconds)
  expect(figure('compose/compose.yaml', /stop_grace_period: (\d+)s/)).toBeGreaterThanOrEqual(stopSeconds)
  expect(figure('helm/helix/values.yaml', /shutdownGraceMs: (\d+)/)).toBe(settings.shutdownGraceMs.default)
})

test('the chart has the version of the release', () => {
  const [released] = version.split('-')
  expect(read('helm/helix/Chart.yaml')).toContain(`\nversion: ${released}\nappVersion: "${released}"\n`)
})

test.skipIf(haproxy === null)('the proxy of the compose file accepts its configuration', async () => {
  const folder = scratchPath()
  const { certPem, keyPem } = createSelfSigned({ now: Date.now() })
  writeFileSync(join(folder, 'site.pem'), certPem + keyPem)
  writeFileSync(join(folder, 'haproxy.cfg'), read('compose/haproxy.cfg').replace('/certs/', `${folder}/`))
  const { code, stderr } = await runProgram(['-c', '-f', join(folder, 'haproxy.cfg')], { command: haproxy ?? '' })
  expect({ code, alerts: stderr.split('\n').filter((line) => line.includes('ALERT')) }).toEqual({ code: 0, alerts: [] })
})

test.skipIf(redis === null)('a Redis with the documented settings can be used', async () => {
  const lines = documentedBlock('docs/operate/redis.md', 'redis').trim().split('\n')
  const settings = lines.flatMap((line) => {
    const [name = '', value = ''] = line.split(' ')
    return [`--${name}`, value.replaceAll('"', '')]
  })
  const server = await startRedis(redis ?? '', { settings })
  onTestFinished(() => server.close())
  expect(await examineRedis([server.url], 30_000)).toMatch(/^(Redis|Valkey) \d+/)
})
