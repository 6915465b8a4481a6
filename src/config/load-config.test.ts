import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { loadConfig, type Sources } from './load-config.ts'
import { SettingError } from './setting-error.ts'
import { environmentName, flagName, flagSettingNames, settingNames, settings } from './settings.ts'

const load = (sources: Partial<Sources>) => loadConfig({ flags: {}, environment: {}, configFile: null, ...sources })
const refusal = (sources: Partial<Sources>): string => {
  try {
    load(sources)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    const { message } = error as SettingError
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('it was accepted')
}
const writeConfig = async (content: string): Promise<string> => {
  const path = join(await tempDir(), 'helix.config.json')
  writeFileSync(path, content)
  return path
}

const plainModel = {
  ...{ upstreamName: null, aliases: [], weight: 1, contextTokens: null },
  ...{ tokenizer: null, capabilities: null, imageTokens: null, price: null, default: false },
}
/** A right value of every setting that is not its default, and fits with the others. */
const examples: Record<string, [text: string, value: unknown]> = {
  cacheModels: ['helix-v1, *', ['helix-v1', '*']],
  cacheKeys: ['key_1', ['key_1']],
  cacheStore: ['redis', 'redis'],
  cachePricePercent: ['50', 50],
  cacheRetentionHours: ['2', 2],
  cacheLimitBytes: ['1000000', 1_000_000],
  cacheAnswerLimitBytes: ['2048', 2048],
  hooks: [
    '[{"name":"cards","secrets":["cards"]},{"name":"policy","url":"http://hooks.test/check"}]',
    [
      {
        ...{ name: 'cards', url: null, secrets: ['cards'], patterns: [], action: 'redact' },
        ...{ phases: ['before', 'after'], onFailure: 'block' },
      },
      {
        ...{ name: 'policy', url: 'http://hooks.test/check', timeoutMs: 2000 },
        ...{ phases: ['before', 'after'], onFailure: 'block' },
      },
    ],
  ],
  hookSecret: [`whsec_${'aG9v'.repeat(8)}`, `whsec_${'aG9v'.repeat(8)}`],
  host: ['127.0.0.9', '127.0.0.9'],
  port: ['9000', 9000],
  dataDir: ['/var/lib/helix', '/var/lib/helix'],
  tracesEndpoint: ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
  tracesHeaders: ['authorization=Bearer%20abc,x-team=one', { authorization: 'Bearer abc', 'x-team': 'one' }],
  tracesSampleRatio: ['0.5', 0.5],
  tracesSlowMs: ['1000', 1000],
  tracesTrustCallers: ['0', false],
  tracesContent: ['1', true],
  tracesServiceName: ['gateway', 'gateway'],
  tracesResource: ['deployment.environment.name=test', { 'deployment.environment.name': 'test' }],
  store: ['postgres://helix:secret@db.example.com/helix', 'postgres://helix:secret@db.example.com/helix'],
  storePoolSize: ['20', 20],
  metricsPort: ['9464', 9464],
  metricsHost: ['10.0.0.1', '10.0.0.1'],
  metricsOrganisations: ['org_1, org_2', ['org_1', 'org_2']],
  nodeName: ['helix-1', 'helix-1'],
  storeTimeoutMs: ['5000', 5000],
  storeOutageMinutes: ['30', 30],
  secretKey: ['q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='],
  nextSecretKey: ['EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8=', 'EjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8='],
  redis: [
    'redis://one.example.com, rediss://:secret@two.example.com:6380',
    'redis://one.example.com,rediss://:secret@two.example.com:6380',
  ],
  redisPrefix: ['helix-staging:', 'helix-staging:'],
  redisTimeoutMs: ['500', 500],
  limitsWithoutRedis: ['closed', 'closed'],
  tls: ['self-signed', 'self-signed'],
  allowPlaintext: ['1', true],
  shutdownDelayMs: ['0', 0],
  strictRequests: ['1', true],
  publicUrl: ['https://ai.example.com/', 'https://ai.example.com'],
  sourceUrl: ['https://git.example.com/fork/', 'https://git.example.com/fork'],
  trustedProxies: ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
  corsOrigins: ['https://A.example.com:443, app://x', ['https://a.example.com', 'app://x']],
  signUp: ['invitation', 'invitation'],
  signUpsPerHour: ['50', 50],
  webhookNetworks: ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  webhookRetentionDays: ['7', 7],
  workers: ['3', 3],
  smtpUrl: ['smtps://me:secret@mail.example.com', 'smtps://me:secret@mail.example.com'],
  mailFrom: ['Helix <a@example.com>', 'Helix <a@example.com>'],
  githubUrl: ['https://git.example.com/', 'https://git.example.com'],
  githubApiUrl: ['https://git.example.com/api/v3', 'https://git.example.com/api/v3'],
  oidcName: ['Work', 'Work'],
  model: ['/models/other.gguf', '/models/other.gguf'],
  models: [
    '[{ "name": "a", "path": "/a.gguf", "aliases": ["b"], "slots": 2, "default": true }, { "name": "c", "path": "c" }]',
    [
      {
        ...{ name: 'a', path: '/a.gguf', aliases: ['b'], contextTokens: null, slots: 2, idleMinutes: null },
        default: true,
      },
      {
        ...{ name: 'c', path: 'c', aliases: [], contextTokens: null, slots: null, idleMinutes: null },
        default: false,
      },
    ],
  ],
  modelHubUrl: ['https://hub.example.com', 'https://hub.example.com'],
  modelHubToken: ['hub-secret', 'hub-secret'],
  modelIdleMinutes: ['0', 0],
  modelMemoryLimitBytes: ['2000000', 2_000_000],
  defaultModel: ['shared', 'shared'],
  modelName: ['other', 'other'],
  contextTokens: ['2048', 2048],
  engineSlots: ['2', 2],
  engineThreads: ['3', 3],
  engineGpu: ['true', true],
  engineLibraries: ['/opt/llama', '/opt/llama'],
  engineGpuLayers: ['12', 12],
  engineGpuSplitMode: ['none', 'none'],
  engineMainGpu: ['1', 1],
  engineCacheType: ['q8_0', 'q8_0'],
  engineFlashAttention: ['on', 'on'],
  engineSpeculation: ['off', 'off'],
  engineSilenceLimitMs: ['1000', 1000],
  engineNodeHost: ['0.0.0.0', '0.0.0.0'],
  engineNodePort: ['9000', 9000],
  engineNodeUrl: ['https://10.0.0.7:9000/', 'https://10.0.0.7:9000'],
  upstreamUrl: ['http://10.0.0.1:8000/v1', 'http://10.0.0.1:8000/v1'],
  upstreamModel: ['big', 'big'],
  upstreamKey: ['sk-up', 'sk-up'],
  upstreamKind: ['vllm', 'vllm'],
  upstreamFeatures: ['tools, stop', ['tools', 'stop']],
  upstreamCapabilities: ['vision', ['vision']],
  upstreams: [
    '[{"name":"gpu","url":"http://10.0.0.2/v1/","key":"sk-gpu","price":{"prompt":1,"completion":2},"models":[{"name":"a","capabilities":["vision"],"imageTokens":900},{"name":"b","upstreamName":"org/b","weight":2}]}]',
    [
      {
        ...{ name: 'gpu', url: 'http://10.0.0.2/v1', key: 'sk-gpu', keyFrom: null, kind: 'compatible', features: [] },
        ...{ maxInFlight: 64, connectTimeoutMs: 10_000, firstByteTimeoutMs: 300_000, silenceTimeoutMs: 300_000 },
        price: { prompt: 1, cached: 1, completion: 2 },
        capabilities: [],
        models: [
          { ...plainModel, name: 'a', capabilities: ['vision'], imageTokens: 900 },
          { ...plainModel, name: 'b', upstreamName: 'org/b', weight: 2 },
        ],
      },
    ],
  ],
  requestsPerMinute: ['100', 100],
  tokensPerMinute: ['1000', 1000],
  requestsInFlight: ['8', 8],
  requestsPerDay: ['5000', 5000],
  organisationRequestsPerDay: ['500', 500],
  tokensPerDay: ['100000', 100_000],
  tokensPerMonth: ['1000000', 1_000_000],
  organisationRequestsPerMinute: ['10', 10],
  organisationTokensPerMinute: ['500', 500],
  organisationRequestsInFlight: ['0', 0],
  answerReservationTokens: ['2048', 2048],
  refusedRequestsPerMinute: ['100', 100],
  organisationRefusedRequestsPerMinute: ['0', 0],
  organisationTokensPerDay: ['5000', 5000],
  organisationTokensPerMonth: ['50000', 50_000],
  costPerDay: ['2.5', 2.5],
  costPerMonth: ['100', 100],
  organisationCostPerDay: ['0.000001', 0.000001],
  organisationCostPerMonth: ['9000000000', 9_000_000_000],
  currency: ['JPY', 'JPY'],
  prices: [
    '{ "a": { "prompt": 0.1, "completion": 0.4 }, "b": { "completion": 2 } }',
    { a: { prompt: 0.1, cached: 0.1, completion: 0.4 }, b: { prompt: 0, cached: 0, completion: 2 } },
  ],
  timeZone: ['Asia/Tokyo', 'Asia/Tokyo'],
  resumeGraceMs: ['0', 0],
  replayRetentionHours: ['48', 48],
  replayAnswerLimitBytes: ['65536', 65_536],
  replayMemoryLimitBytes: ['131072', 131_072],
  replayDiskLimitBytes: ['262144', 262_144],
  ledgerRetentionDays: ['90', 90],
  ledgerSyncDelayMs: ['100', 100],
  auditRetentionDays: ['90', 90],
  organisationsPerAccount: ['3', 3],
  backupDir: ['/backups', '/backups'],
  hostedPrices: ['/prices.json', '/prices.json'],
  backupIntervalHours: ['6', 6],
  backupsKept: ['30', 30],
  backupPassphrase: ['plum harbour', 'plum harbour'],
  queueLimit: ['5', 5],
  organisationQueueLimit: ['2', 2],
  organisationWeights: ['org_a=4, org_b=0.5', ['org_a=4', 'org_b=0.5']],
  reservedSlots: ['0', 0],
  queueTimeoutMs: ['1000', 1000],
  partLimitBytes: ['2048', 2048],
  partsLimitBytes: ['4096', 4096],
  bodyLimitBytes: ['2000', 2000],
  bodyMemoryLimitBytes: ['2097152', 2_097_152],
  bodyMemoryShareBytes: ['131072', 131_072],
  answerLimitBytes: ['65536', 65_536],
  answerBufferLimitBytes: ['65536', 65_536],
  headerLimitBytes: ['8192', 8192],
  headersTimeoutMs: ['1', 1],
  bodyTimeoutMs: ['2', 2],
  idleTimeoutMs: ['3', 3],
  generationTimeoutMs: ['4', 4],
  heartbeatMs: ['500', 500],
  stallTimeoutMs: ['500', 500],
  shutdownGraceMs: ['0', 0],
  apiKey: ['hx_live_x', 'hx_live_x'],
  auditFile: ['/var/log/helix/audit.jsonl', '/var/log/helix/audit.jsonl'],
  auditSyslog: ['tcp://logs.example.com:514', 'tcp://logs.example.com:514'],
  logLevel: ['warn', 'warn'],
  logFormat: ['json', 'json'],
}
/** These two exclude `tls`. */
const pair: Record<string, [string, unknown]> = { tlsCert: ['/c.pem', '/c.pem'], tlsKey: ['/k.pem', '/k.pem'] }
/** Neither of a pair may come alone, and one of each is a secret, which no flag takes. */
const clients: Record<string, [string, unknown]> = {
  githubClientId: ['id', 'id'],
  githubClientSecret: ['x', 'x'],
  googleClientId: ['id', 'id'],
  googleClientSecret: ['x', 'x'],
  oidcIssuer: ['https://id.example.com/', 'https://id.example.com'],
  oidcClientId: ['id', 'id'],
  oidcClientSecret: ['x', 'x'],
}
const values = Object.fromEntries(Object.entries(examples).map(([name, [, value]]) => [name, value]))

test('there is an example of every setting here', () => {
  expect(Object.keys({ ...examples, ...pair, ...clients }).sort()).toEqual([...settingNames].sort())
})

test('without anything set every setting has its default', () => {
  const config = load({})
  for (const name of settingNames) expect(config[name]).toEqual(settings[name].default)
})

test('every setting is taken from the environment', () => {
  const entries = Object.entries(examples).map(([name, [text]]) => [environmentName(name), text])
  expect(load({ environment: Object.fromEntries(entries) })).toMatchObject(values)
  expect(load({ environment: { HELIX_TLS_CERT: '/c.pem', HELIX_TLS_KEY: '/k.pem' } })).toMatchObject({
    tlsCert: '/c.pem',
    tlsKey: '/k.pem',
  })
})

test('the clients at providers are taken from the environment, id and secret together', () => {
  const entries = Object.entries(clients).map(([name, [text]]) => [environmentName(name), text])
  const config = load({ environment: Object.fromEntries(entries) })
  expect(config).toMatchObject(Object.fromEntries(Object.entries(clients).map(([name, [, value]]) => [name, value])))
  for (const name of ['GITHUB', 'GOOGLE', 'OIDC'])
    expect(() => load({ environment: { [`HELIX_${name}_CLIENT_ID`]: 'id' } })).toThrow(`HELIX_${name}_CLIENT_SECRET`)
  expect(() => load({ environment: { HELIX_OIDC_ISSUER: 'https://id.example.com' } })).toThrow('HELIX_OIDC_CLIENT_ID')
  expect(() => load({ environment: { HELIX_GITHUB_URL: 'http://git.example.com' } })).toThrow('must use https://')
  for (const url of ['http://localhost:81', 'http://127.0.0.1:81', 'http://[::1]:81'])
    expect(load({ environment: { HELIX_GITHUB_URL: url } })).toMatchObject({ githubUrl: url })
  const elsewhere = { HELIX_HOST: '0.0.0.0', HELIX_ALLOW_PLAINTEXT: '1' }
  const github = { HELIX_GITHUB_CLIENT_ID: 'id', HELIX_GITHUB_CLIENT_SECRET: 'x' }
  expect(() => load({ environment: { ...elsewhere, ...github } })).toThrow('HELIX_PUBLIC_URL')
})

test('every setting is taken from the file, as text or as JSON', async () => {
  const texts = Object.fromEntries(Object.entries(examples).map(([name, [text]]) => [name, text]))
  for (const content of [texts, values])
    expect(load({ configFile: await writeConfig(JSON.stringify(content)) })).toMatchObject(values)
})

test('every setting but secrets and lists of models is taken from a flag', () => {
  const others = settingNames.filter((name) => !flagSettingNames.includes(name))
  expect(others.sort()).toEqual([
    'apiKey',
    'backupPassphrase',
    'githubClientSecret',
    'googleClientSecret',
    'hookSecret',
    'hooks',
    'modelHubToken',
    'models',
    'nextSecretKey',
    'oidcClientSecret',
    'prices',
    'redis',
    'secretKey',
    'smtpUrl',
    'store',
    'tracesHeaders',
    'upstreamKey',
    'upstreams',
  ])
  const named = flagSettingNames.filter((name) => name in examples)
  const flags = Object.fromEntries(named.map((name) => [name, examples[name]?.[0] ?? '']))
  // A secret, which another one needs.
  const environment = { HELIX_REDIS: examples.redis?.[0] ?? '', HELIX_STORE: examples.store?.[0] ?? '' }
  const config = load({ flags, environment })
  for (const name of named) expect(config[name]).toEqual(values[name])
})

test('a flag wins over the environment, the environment over the file, the file over the default', async () => {
  const configFile = await writeConfig('{ "port": 1, "engineSlots": 1, "queueLimit": 1 }')
  const environment = { HELIX_PORT: '2', HELIX_ENGINE_SLOTS: '2' }
  const config = load({ flags: { port: '3' }, environment, configFile })
  expect(config).toMatchObject({ port: 3, engineSlots: 2, queueLimit: 1, heartbeatMs: 10_000 })
})

test('the variables of OpenTelemetry apply to traces that have no setting of their own', async () => {
  const standard = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc',
    OTEL_SERVICE_NAME: 'chat',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
  }
  expect(load({ environment: standard })).toMatchObject({
    tracesEndpoint: 'https://otlp.example.com/otlp/v1/traces',
    tracesHeaders: { 'x-key': 'abc' },
    tracesServiceName: 'chat',
    tracesResource: { 'deployment.environment.name': 'production' },
  })
  const configFile = await writeConfig('{ "tracesServiceName": "mine" }')
  expect(load({ environment: standard, configFile }).tracesServiceName).toBe('mine')
  const own = { ...standard, HELIX_TRACES_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(load({ environment: own }).tracesEndpoint).toBe('http://127.0.0.1:4318/v1/traces')
  for (const off of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ])
    expect(load({ environment: { ...standard, ...off } }).tracesEndpoint).toBeNull()
})

test('names are made from each other', () => {
  expect(environmentName('generationTimeoutMs')).toBe('HELIX_GENERATION_TIMEOUT_MS')
  expect(flagName('generationTimeoutMs')).toBe('generation-timeout-ms')
})

test.each([
  ['HELIX_PROT', 'HELIX_PORT'],
  ['HELIX_DATADIR', 'HELIX_DATA_DIR'],
  ['HELIX_ENGINE_SLOT', 'HELIX_ENGINE_SLOTS'],
])('%s in the environment is refused, with the name that was meant', (name, meant) => {
  expect(refusal({ environment: { [name]: 'x' } })).toBe(
    `unknown setting ${name} in the environment; did you mean ${meant}?`,
  )
})

test('an unknown name without a likeness is refused without a guess; other programs may call theirs what they like', () => {
  expect(refusal({ environment: { HELIX_FROBNICATE: '1' } })).toBe(
    'unknown setting HELIX_FROBNICATE in the environment',
  )
  expect(load({ environment: { PATH: '/bin', OTHER_PORT: 'x', helix_port: 'x' } }).port).toBe(8080)
})

test('an unknown key in the file is refused with the file and the name that was meant', async () => {
  const configFile = await writeConfig('{ "Port": 1 }')
  expect(refusal({ configFile })).toBe(`${configFile}:1:3: unknown setting 'Port'; did you mean port?`)
  expect(refusal({ configFile: await writeConfig('{ "__proto__": { "port": 1 } }') })).toContain("'__proto__'")
})

test.each(['[]', 'null', '1', ' "text"'])('a file that holds %j is no settings file', async (content) => {
  const configFile = await writeConfig(content)
  const column = content.startsWith(' ') ? 2 : 1
  expect(refusal({ configFile })).toBe(`${configFile}:1:${column}: expected a single JSON object`)
})

test.each([
  ['{', '1:2', 'a name in double quotes'],
  ['', '1:1', 'a value'],
  ['{"port":1,}', '1:10', "no ',' before '}'"],
  ['{\n  "port": 80\n  "host": "x"\n}', '3:3', "',' or '}'"],
  ['{\r\n\t"port" 80 }', '2:9', "':'"],
  ['{ // why\n "port": 80 }', '1:3', 'a name in double quotes'],
  ['{ "日本": 1, port: 80 }', '1:12', 'a name in double quotes'],
  ['{ "port": 080 }', '1:12', "',' or '}'"],
  ['{ "port": +1 }', '1:11', 'a value'],
  ['{ "host": "a\nb" }', '1:11', 'a string without line breaks, with its closing "'],
  ['{} {}', '1:4', 'nothing more'],
])('where the file %j is not JSON is said', async (content, place, expected) => {
  const configFile = await writeConfig(content)
  expect(refusal({ configFile })).toBe(`${configFile}:${place}: the file is not valid JSON: expected ${expected}`)
})

test('all problems are named at once, each with its line and column', async () => {
  const configFile = await writeConfig(`{
  "port": "80a",
  "prot": 1,
  "models": [
    { "name": "a", "path": "b" },
    { "name": "", "slots": 0, "colour": "red" }
  ],
    "prices": { "a": { "prompt": -1 } },
  "upstreams": [{ "name": "gpu", "url": "http://x/v1", "key": "has spaces" }]
}`)
  const environment = { HELIX_QUEUE_LIMIT: 'many', HELIX_TYPO: '1' }
  expect(() => load({ configFile, environment })).toThrow(
    new SettingError(
      [
        '10 problems with the settings:',
        `${configFile}:3:3: unknown setting 'prot'; did you mean port?`,
        'unknown setting HELIX_TYPO in the environment',
        `${configFile}:2:3: 'port': expected an integer from 0 to 65535, not "80a"`,
        `${configFile}:6:7: 'models': model 2, name: expected a model name: up to 200 printable characters, without ../`,
        `${configFile}:6:19: 'models': model 2, slots: expected an integer from 1 to 256`,
        `${configFile}:6:31: 'models': model 2, colour: unknown field`,
        `${configFile}:6:5: 'models': model 2 has no path`,
        `${configFile}:9:56: 'upstreams': upstream 1 (gpu), key: expected up to 1000 printable ASCII characters without spaces`,
        `${configFile}:8:24: 'prices': a: prompt: expected a number from 0 to 1000000 with at most six decimal places`,
        'HELIX_QUEUE_LIMIT: expected an integer from 0 to 100000, not "many"',
      ].join('\n  '),
    ),
  )
})

test('settings that conflict are all named, with their places in the file', async () => {
  const configFile = await writeConfig('{\n  "tlsCert": "/x",\n  "redis": "redis://x"\n}')
  expect(() => load({ configFile, environment: { HELIX_UPSTREAM_KEY: 'x' } })).toThrow(
    new SettingError(
      [
        '3 problems with the settings:',
        `HELIX_TLS_CERT and HELIX_TLS_KEY must be set together: set both or neither (${configFile}:2:3)`,
        'HELIX_UPSTREAM_MODEL and HELIX_UPSTREAM_KEY require HELIX_UPSTREAM_URL',
        `HELIX_REDIS requires HELIX_STORE, the PostgreSQL database of the cluster: a server with a database of its own needs no Redis (${configFile}:3:3)`,
      ].join('\n  '),
    ),
  )
})

test('a file that was named must be there; the usual one need not', async () => {
  const missing = join(await tempDir(), 'none.json')
  expect(refusal({ configFile: missing })).toBe(`${missing}: the file does not exist`)
  expect(refusal({ configFile: await tempDir() })).toMatch(/: the file cannot be read$/)
  const start = process.cwd()
  onTestFinished(() => process.chdir(start))
  process.chdir(await tempDir())
  expect(load({ configFile: undefined }).port).toBe(8080)
  writeFileSync('helix.config.json', '{ "port": 81 }')
  expect(load({ configFile: undefined }).port).toBe(81)
})

test.each([
  ['HELIX_PORT', 'abc', 'expected an integer from 0 to 65535, not "abc"'],
  ['HELIX_PORT', '65536', 'expected an integer from 0 to 65535, not "65536"'],
  ['HELIX_PORT', '-1', 'expected an integer from 0 to 65535, not "-1"'],
  ['HELIX_PORT', '80.5', 'expected an integer from 0 to 65535, not "80.5"'],
  ['HELIX_PORT', '0x50', 'expected an integer from 0 to 65535, not "0x50"'],
  ['HELIX_PORT', '9'.repeat(400), 'expected an integer from 0 to 65535'],
  ['HELIX_TLS', 'on', 'expected off or self-signed, not "on"'],
  ['HELIX_ALLOW_PLAINTEXT', 'yes', 'expected 1 or 0 (true or false), not "yes"'],
  ['HELIX_ALLOW_PLAINTEXT', 'constructor', 'expected 1 or 0 (true or false), not "constructor"'],
  ['HELIX_PUBLIC_URL', 'example.com', 'expected an http:// or https:// URL'],
  ['HELIX_PUBLIC_URL', 'ftp://example.com', 'expected an http:// or https:// URL'],
  ['HELIX_UPSTREAM_FEATURES', 'tools,telepathy', 'expected a list of: none, tools, response_format'],
  ['HELIX_UPSTREAM_URL', 'http://x/v1?a=b', 'expected an http:// or https:// URL without query or fragment'],
  ['HELIX_SIGN_UP', 'yes', 'expected open or invitation or closed, not "yes"'],
  ['HELIX_SMTP_URL', 'mail.example.com', 'expected an smtp:// or smtps:// URL'],
  ['HELIX_SMTP_URL', 'https://mail.example.com', 'expected an smtp:// or smtps:// URL'],
  ['HELIX_SMTP_URL', 'smtp://x?sendmail=true&path=/bin/sh', 'in its query only'],
  ['HELIX_SMTP_URL', 'smtp://x?%73endmail=true', 'in its query only'],
  ['HELIX_CORS_ORIGINS', 'app.example.com', 'expected a list of origins such as https://app.example.com'],
  ['HELIX_CORS_ORIGINS', 'https://a.example.com/', "without a path or trailing '/'"],
  ['HELIX_CORS_ORIGINS', '*,https://a.example.com/x', "without a path or trailing '/'"],
  ['HELIX_CORS_ORIGINS', 'https://*.example.com', 'expected a list'],
  ['HELIX_CORS_ORIGINS', 'https://a.example.com:port', 'expected a list'],
  ['HELIX_CORS_ORIGINS', 'https://', 'expected a list'],
  ['HELIX_CORS_ORIGINS', 'null', 'expected a list'],
  ['HELIX_MODELS', 'a', 'expected a JSON array of objects with `name` and `path`, not "a"'],
  ['HELIX_MODELS', '{}', 'expected a JSON array of objects'],
  ['HELIX_MODELS', '["a"]', 'model 1: expected an object with `name` and `path`'],
  ['HELIX_UPSTREAMS', '{}', 'expected a JSON array of objects'],
  ['HELIX_ENGINE_GPU', 'maybe', '1 or 0 (true or false) or required'],
  ['HELIX_UPSTREAMS', '[{"name":"gpu"}]', 'upstream 1 (gpu) has no url'],
  ['HELIX_UPSTREAMS', '[{"name":"gpu","url":"ftp://x"}]', 'upstream 1 (gpu), url: expected an http://'],
  ['HELIX_UPSTREAMS', '[{"name":"a b","url":"http://x/v1"}]', 'upstream 1, name: expected letters'],
  ['HELIX_UPSTREAMS', '[{"name":"a","url":"http://x/v1","wieght":2}]', 'upstream 1 (a), wieght: unknown field'],
  [
    'HELIX_UPSTREAMS',
    '[{"name":"a","url":"http://x/v1","key":"k","keyFrom":"K"}]',
    'upstream 1 (a): set key or keyFrom, not both',
  ],
  [
    'HELIX_UPSTREAMS',
    '[{"name":"a","url":"http://x/v1","models":[{"name":"m","weight":0}]}]',
    'upstream 1 (a), models: model 1, weight: expected a number from 0.01 to 100',
  ],
  [
    'HELIX_UPSTREAMS',
    '[{"name":"a","url":"http://x/v1"},{"name":"a","url":"http://y/v1"}]',
    "the name 'a' appears twice",
  ],
  ['HELIX_UPSTREAMS', JSON.stringify(new Array(101).fill(0)), '101 upstreams, and at most 100 are possible'],
  ['HELIX_HOOKS', JSON.stringify(new Array(21).fill(0)), '21 hooks, and at most 20 are possible'],
  [
    'HELIX_UPSTREAMS',
    JSON.stringify([{ name: 'a', url: 'http://x/v1', models: new Array(501).fill('m') }]),
    'at most 500 models, and these are 501',
  ],
  ['HELIX_MODELS', '[{"name":"a"}]', 'model 1 has no path'],
  ['HELIX_MODELS', '[{"name":"","path":"b"}]', 'model 1, name: expected a model name'],
  ['HELIX_MODELS', '[{"name":"../a","path":"b"}]', 'model 1, name: expected a model name'],
  ['HELIX_MODEL_NAME', '__proto__', 'expected a model name'],
  ['HELIX_PRICES', '{"a/../b":{"prompt":1}}', 'prices by model name'],
  ['HELIX_MODELS', '[{"name":"a","path":"b","slots":0}]', 'model 1, slots: expected an integer from 1 to 256'],
  ['HELIX_MODELS', '[{"name":"a","path":"b","__proto__":1}]', 'model 1, __proto__: unknown field'],
  ['HELIX_MODELS', '[{"name":"a","path":"b"},{"name":"c","path":"d","aliases":["a"]}]', "'a' appears twice"],
  [
    'HELIX_MODELS',
    '[{"name":"a","path":"b","default":true},{"name":"c","path":"d","default":true}]',
    'more than one model is marked as the default',
  ],
  ['HELIX_CURRENCY', 'dollars', 'expected an ISO 4217 currency code such as USD or JPY, not "dollars"'],
  ['HELIX_CURRENCY', 'ZZZ', 'expected an ISO 4217 currency code'],
  ['HELIX_COST_PER_DAY', '0.0000001', 'expected a number from 0 to 9000000000 with at most six decimal places'],
  ['HELIX_COST_PER_DAY', '5 USD', 'expected a number from 0 to 9000000000'],
  ['HELIX_PRICES', '[]', 'expected a JSON object of prices by model name, not "[]"'],
  [
    'HELIX_PRICES',
    '{"a":{"prompt":-1}}',
    'a: prompt: expected a number from 0 to 1000000 with at most six decimal places',
  ],
  ['HELIX_LOG_FORMAT', 'a\nb', 'expected auto or json or text, not "a\\nb"'],
])('%s=%s is refused in one line that names it', (name, value, reason) => {
  const message = refusal({ environment: { [name]: value } })
  expect(message.startsWith(`${name}: `)).toBe(true)
  expect(message).toContain(reason)
})

test.each([
  ['port', '"80a"'],
  ['port', 'null'],
  ['port', 'true'],
  ['port', '[80]'],
  ['allowPlaintext', '[true]'],
  ['allowPlaintext', '{}'],
  ['trustedProxies', '[1]'],
  ['corsOrigins', '[1]'],
  ['corsOrigins', '["https://a.example.com?x"]'],
  ['host', '5'],
])('in the file, "%s": %s is refused and says where it stands', async (name, json) => {
  const configFile = await writeConfig(`{ "${name}": ${json} }`)
  expect(refusal({ configFile })).toContain(`${configFile}:1:3: '${name}': expected `)
})

test('an empty variable is not set, as Compose writes one without a value', async () => {
  const every = Object.fromEntries(settingNames.map((name) => [environmentName(name), '']))
  const origins = settings.corsOrigins.default
  expect({ ...load({ environment: every }), corsOrigins: origins }).toEqual(load({}))
  // The file counts then, and a flag is never empty by accident.
  const configFile = await writeConfig('{ "port": 81, "trustedProxies": ["10.0.0.1"] }')
  expect(load({ environment: every, configFile })).toMatchObject({ port: 81, trustedProxies: ['10.0.0.1'] })
  expect(refusal({ flags: { port: '' } })).toContain('--port: expected an integer')
  expect(refusal({ environment: { HELIX_PROT: '' } })).toContain('did you mean HELIX_PORT?')
})

test('an empty list of origins allows none: who switched CORS off must not find it open', () => {
  expect(load({ environment: { HELIX_CORS_ORIGINS: '' } }).corsOrigins).toEqual([])
})

test('a flag that is malformed is named as a flag', () => {
  expect(refusal({ flags: { queueLimit: 'many' } })).toMatch(/^--queue-limit: expected an integer/)
})

test('no error repeats a secret', async () => {
  const secret = 'hunter2'
  const configFile = await writeConfig(JSON.stringify({ upstreamKey: [secret] }))
  const messages = [
    refusal({ configFile }),
    refusal({ environment: { HELIX_UPSTREAM_URL: `http://me:${secret}@example.com/v1` } }),
    refusal({ environment: { HELIX_UPSTREAM_URL: `http://:${secret}@example.com/v1` } }),
    refusal({ environment: { HELIX_PUBLIC_URL: `ftp://${secret}@example.com/a@b` } }),
    refusal({ environment: { HELIX_SMTP_URL: `http://me:${secret}@mail.example.com` } }),
  ]
  for (const message of messages) expect(message).not.toContain(secret)
  expect(messages[0]).toBe(`${configFile}:1:2: 'upstreamKey': expected a string`)
})

test.each(['0.0.0.0', '::', '192.168.1.5', 'helix.internal', '127.example.com'])(
  'plain HTTP on %s must be asked for',
  (host) => {
    const message = refusal({ environment: { HELIX_HOST: host } })
    expect(message).toMatch(/^HELIX_HOST=.* can be reached by other machines, but TLS is off/)
    expect(load({ environment: { HELIX_HOST: host, HELIX_ALLOW_PLAINTEXT: '1' } }).host).toBe(host)
    expect(load({ environment: { HELIX_HOST: host, HELIX_TLS: 'self-signed' } }).host).toBe(host)
    const pairSet = { HELIX_TLS_CERT: '/c', HELIX_TLS_KEY: '/k' }
    expect(load({ environment: { HELIX_HOST: host, ...pairSet } }).host).toBe(host)
  },
)

test.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('plain HTTP on %s is fine', (host) => {
  expect(load({ environment: { HELIX_HOST: host } }).host).toBe(host)
})

test('settings that do not fit together are refused', () => {
  for (const name of ['HELIX_TLS_CERT', 'HELIX_TLS_KEY'])
    expect(refusal({ environment: { [name]: '/x' } })).toMatch(/must be set together: set both or neither$/)
  const both = { HELIX_TLS: 'self-signed', HELIX_TLS_CERT: '/c', HELIX_TLS_KEY: '/k' }
  expect(refusal({ environment: both })).toMatch(/mutually exclusive/)
  expect(refusal({ environment: { HELIX_UPSTREAM_URL: 'http://x/v1' } })).toMatch(/requires HELIX_UPSTREAM_MODEL/)
  for (const name of ['HELIX_UPSTREAM_MODEL', 'HELIX_UPSTREAM_KEY'])
    expect(refusal({ environment: { [name]: 'x' } })).toMatch(/require HELIX_UPSTREAM_URL$/)
  const mail = { HELIX_SMTP_URL: 'smtp://mail.example.com', HELIX_MAIL_FROM: 'a@example.com' }
  expect(refusal({ environment: { HELIX_SMTP_URL: mail.HELIX_SMTP_URL } })).toMatch(/requires HELIX_MAIL_FROM/)
  const open = { HELIX_HOST: '0.0.0.0', HELIX_ALLOW_PLAINTEXT: '1', ...mail }
  expect(refusal({ environment: open })).toMatch(/requires HELIX_PUBLIC_URL/)
  expect(load({ environment: { ...open, HELIX_PUBLIC_URL: 'https://x.example' } }).smtpUrl).toBe(mail.HELIX_SMTP_URL)
})

test('the key of an upstream can come from the environment, and errors never show it', () => {
  const upstream = { name: 'gpu', url: 'http://10.0.0.2/v1', keyFrom: 'GPU_KEY' }
  const environment = { HELIX_UPSTREAMS: JSON.stringify([upstream]) }
  expect(load({ environment: { ...environment, GPU_KEY: 'sk-gpu' } }).upstreams[0]?.key).toBe('sk-gpu')
  // Other commands than the server run without it.
  expect(load({ environment }).upstreams[0]?.key).toBeNull()
  const wrong = JSON.stringify([{ name: 'gpu', url: 'http://10.0.0.2/v1', key: 'sk secret' }])
  expect(refusal({ environment: { HELIX_UPSTREAMS: wrong } })).not.toContain('secret')
})

test('only one model is the default, wherever it is served', () => {
  const upstreams = [{ name: 'gpu', url: 'http://10.0.0.2/v1', models: [{ name: 'a', default: true }] }]
  const environment = { HELIX_UPSTREAMS: JSON.stringify(upstreams) }
  const shorthand = { HELIX_UPSTREAM_URL: 'http://10.0.0.1/v1', HELIX_UPSTREAM_MODEL: 'b' }
  expect(refusal({ environment: { ...environment, ...shorthand } })).toContain('its model is the default')
  const models = JSON.stringify([{ name: 'c', path: 'c.gguf', default: true }])
  expect(refusal({ environment: { ...environment, HELIX_MODELS: models } })).toContain('only one model')
})
