import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { environmentName, settingNames, settings } from '../../src/config/settings.ts'
import { runCommand } from '../harness/run-command.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

/** In base64, so that it fits every kind of setting. */
const canary = (name: string): string => Buffer.from(`canary-${name}`.padEnd(32, '.')).toString('base64')

/** A right value of every secret setting, with a canary in it. */
const secrets: Record<string, string> = {
  store: `postgres://helix:${encodeURIComponent(canary('store'))}@127.0.0.1:1/helix`,
  redis: `redis://:${encodeURIComponent(canary('redis'))}@127.0.0.1:1`,
  secretKey: canary('secretKey'),
  nextSecretKey: canary('nextSecretKey'),
  smtpUrl: `smtp://me:${encodeURIComponent(canary('smtpUrl'))}@127.0.0.1:1`,
  githubClientSecret: canary('githubClientSecret'),
  googleClientSecret: canary('googleClientSecret'),
  oidcClientSecret: canary('oidcClientSecret'),
  upstreamKey: canary('upstreamKey'),
  upstreams: JSON.stringify([{ name: 'gpu', url: 'http://127.0.0.1:1/v1', key: canary('upstreams') }]),
  modelHubToken: canary('modelHubToken'),
  backupPassphrase: canary('backupPassphrase'),
  apiKey: canary('apiKey'),
  hookSecret: `whsec_${canary('hookSecret')}`,
  tracesHeaders: `authorization=Bearer%20${encodeURIComponent(canary('tracesHeaders'))}`,
}
const mailFrom = 'Jane "of Helix" Doe <jane.doe@people.example>'
/** What these settings require. */
const others = {
  ...{ HELIX_GITHUB_CLIENT_ID: 'x', HELIX_GOOGLE_CLIENT_ID: 'x', HELIX_OIDC_CLIENT_ID: 'x', HELIX_MAIL_FROM: mailFrom },
  ...{ HELIX_OIDC_ISSUER: 'https://id.example.com', HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1' },
  HELIX_UPSTREAM_MODEL: 'm',
}
const isSecret = (name: keyof typeof settings): boolean => 'secret' in settings[name]
const environment = {
  ...others,
  ...Object.fromEntries(settingNames.filter(isSecret).map((name) => [environmentName(name), secrets[name] ?? ''])),
}

const makeBundle = async (dataDir: string, env: Record<string, string> = {}, ...more: string[]) => {
  const file = join(scratchPath(), 'bundle.tar.gz')
  const args = ['support-bundle', file, '--sample-seconds', '0', '--data-dir', dataDir, ...more]
  const { code, stdout, stderr } = await runCommand(args, env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const files = readTar(gunzipSync(readFileSync(file)))
  return { stdout, files, all: JSON.stringify([...files]) }
}

/** Only of archives with short names, as POSIX describes them. */
const readTar = (bytes: Buffer): Map<string, string> => {
  const files = new Map<string, string>()
  for (let at = 0; bytes[at] !== 0; ) {
    const name = bytes.toString('ascii', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(bytes.toString('ascii', at + 124, at + 135), 8)
    const sum = bytes
      .subarray(at, at + 512)
      .reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
    expect(Number.parseInt(bytes.toString('ascii', at + 148, at + 154), 8)).toBe(sum)
    files.set(name, bytes.toString('utf8', at + 512, at + 512 + size))
    at += 512 + 512 * Math.ceil(size / 512)
  }
  return files
}

const expectNoCanary = (text: string): void => {
  expect(text).not.toMatch(/canary/i)
  for (const name of Object.keys(secrets)) {
    const value = canary(name)
    for (const spelling of [value, encodeURIComponent(value), value.slice(0, 16)]) expect(text).not.toContain(spelling)
  }
}

test('every secret setting has a canary here', () => {
  expect(Object.keys(secrets).sort()).toEqual(settingNames.filter(isSecret).sort())
})

test('the bundle of a running server has what helps, and neither secrets nor prompts nor answers', async () => {
  const config = loadConfig({ flags: {}, environment, configFile: null })
  const words = { prompt: 'the-canary-of-the-prompt', answer: 'the-canary-of-the-answer' }
  const helix = await startHelix({
    // A server with a database of its own, in front of the scripted engine.
    config: { ...config, store: null, redis: null, organisationRequestsPerMinute: 0, port: 0, shutdownDelayMs: 0 },
    answer: (messages) =>
      JSON.stringify(messages).includes('fail')
        ? [words.answer, { fail: new Error('the disk is on fire') }]
        : [words.answer],
  })
  const ask = (text: string) => helix.chat({ messages: [{ role: 'user', content: `${words.prompt} ${text}` }] })
  expect(await (await ask('please')).text()).toContain(words.answer)
  const requestId = (await ask('fail')).headers.get('x-request-id')
  await fetch(`${helix.url}/v1/${canary('path')}?key=${helix.key}`, {
    headers: { authorization: `Bearer ${helix.key}x` },
  })
  await helix.logged({ requestId, event: 'request_failed' })

  const { stdout, files, all } = await makeBundle(helix.dataDir)
  expect(stdout).toMatch(/^Wrote .*bundle\.tar\.gz \(8 files, \d+ bytes\) from the running server\.\n$/)
  expect([...files.keys()]).toEqual([
    ...['README.txt', 'versions.json', 'settings.json', 'diagnosis.json', 'metrics.txt', 'problems.jsonl'],
    ...['process.json', 'cpu.txt'],
  ])
  expect(files.get('problems.jsonl')).toContain(requestId)
  expect(files.get('problems.jsonl')).toContain('the disk is on fire')
  expect(files.get('metrics.txt')).toContain(modelName)
  expect(files.get('diagnosis.json')).toContain('"check": "database"')
  expect(JSON.parse(files.get('settings.json') ?? '')).toContainEqual(
    expect.objectContaining({ name: 'smtpUrl', value: null, isSet: true, isSecret: true }),
  )
  expect(JSON.parse(files.get('settings.json') ?? '')).toContainEqual(
    expect.objectContaining({ name: 'mailFrom', value: null, isSet: true }),
  )
  expectNoCanary(all)
  expect(all).not.toMatch(/jane/i)
  for (const secret of [helix.key, words.prompt, words.answer]) expect(all).not.toContain(secret)
})

test('without a server it has the settings of the command, without secrets', async () => {
  // The name of an upstream model repeats a secret, and that of a node the address that mail comes from.
  const env = {
    ...environment,
    HELIX_UPSTREAM_MODEL: canary('modelHubToken'),
    HELIX_MODEL_NAME: 'jane.doe@people.example',
  }
  const { stdout, files, all } = await makeBundle(scratchPath(), env)
  expect(stdout).toContain('without a running server')
  expect([...files.keys()]).toEqual(['README.txt', 'versions.json', 'settings.json'])
  expect(files.get('settings.json')).toContain('[redacted]')
  expectNoCanary(all)
  expect(all).not.toMatch(/jane/i)
})

test('a file that exists is kept, and a wrong number of seconds is refused', async () => {
  const file = join(scratchPath(), 'bundle.tar.gz')
  const args = ['support-bundle', file, '--data-dir', scratchPath()]
  expect((await runCommand(args)).code).toBe(0)
  expect(await runCommand(args)).toMatchObject({
    code: 1,
    stderr: `helix: ${file} exists already: choose another name\n`,
  })
  for (const seconds of ['11', '-1', '1.5', 'x'])
    expect((await runCommand([...args, '--sample-seconds', seconds])).code).toBe(2)
})
