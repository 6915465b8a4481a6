import { availableParallelism } from 'node:os'
import { logLevels } from '../base/log-fields.ts'
import { findBundledModel } from './find-bundled-model.ts'
import { hookSecrets, hooks } from './hook-setting.ts'
import { limitSettings } from './limit-settings.ts'
import { contextTokensRange, idleMinutesRange, models, slotsRange } from './model-setting.ts'
import { prices } from './price-setting.ts'
import {
  base64Key,
  choice,
  choices,
  currency,
  flag,
  flagOr,
  httpUrl,
  integer,
  keyPrefix,
  limit,
  list,
  modelName,
  origins,
  path,
  postgresUrl,
  redisUrls,
  type Setting,
  siteUrl,
  smtpUrl,
  syslogUrl,
  text,
  timeZone,
  weights,
} from './setting.ts'
import { tracesSettings } from './traces-settings.ts'
import { upstreamCapabilities, upstreamFields, upstreamKinds } from './upstream-names.ts'
import { upstreams } from './upstream-setting.ts'

/**
 * Every setting of the program. Its name here is its name in `helix.config.json`; `HELIX_DATA_DIR` and `--data-dir` are
 * derived from it. `docs/config.md` is generated from this table.
 */
export const settings = {
  host: text({ default: '127.0.0.1', text: 'Address to listen on.' }),
  port: integer({ default: 8080, min: 0, max: 65_535, text: 'Port to listen on; 0 selects a free port.' }),
  workers: integer({
    default: null,
    min: 1,
    max: 64,
    defaultText: '1 without upstreams; otherwise one less than the number of CPU cores, at most 8',
    text: 'Threads that accept connections and answer requests for models of upstreams, decided when the server starts; see docs/operating.md. 1: the main thread does it.',
  }),
  dataDir: path({
    default: './data',
    text: 'Directory for the database (unless `store` is set), models, `secrets.key`, the lock file and the local control socket.',
  }),
  store: postgresUrl({
    default: null,
    secret: true,
    text: 'PostgreSQL database (14 or newer) to use instead of the one in the data directory, for example `postgres://helix:password@db.example.com/helix?sslmode=verify-full`.',
  }),
  storePoolSize: integer({
    default: 10,
    min: 1,
    max: 1000,
    text: 'Maximum number of connections to PostgreSQL for queries. One more connection holds the lock that keeps servers without `redis` from sharing the database.',
  }),
  metricsPort: integer({
    default: null,
    min: 0,
    max: 65_535,
    text: 'Port for `GET /metrics` in the format of OpenMetrics, which Prometheus reads; 0 selects a free port.',
    defaultText: 'no metrics are served',
  }),
  metricsHost: text({
    default: '127.0.0.1',
    text: 'Address for `metricsPort`. It asks for no key: let only your monitoring reach it.',
  }),
  metricsOrganisations: list({
    default: [],
    text: 'IDs of organisations whose requests, tokens and cost are in the metrics one by one.',
  }),
  ...tracesSettings,
  nodeName: text({
    default: null,
    defaultText: 'the host name',
    text: 'Name of this server on the Nodes page, in `helix nodes` and in the log.',
  }),
  storeTimeoutMs: integer({
    default: 10_000,
    min: 100,
    max: 3_600_000,
    text: 'Maximum time for one statement in PostgreSQL.',
  }),
  storeOutageMinutes: integer({
    default: 10,
    min: 0,
    max: 1440,
    text: 'While PostgreSQL cannot be reached, the server answers requests for this time: with API keys that it verified shortly before, and with its part of the ledger on the local disk until it can be written. 0: it refuses them at once.',
  }),
  secretKey: base64Key({
    ...{ default: null, secret: true, bytes: 32 },
    text: 'Key that encrypts the secrets of authenticator apps and webhooks and the keys of added upstreams, instead of the file `secrets.key` in the data directory. All nodes of a cluster need the same one; `openssl rand -base64 32` creates one.',
  }),
  nextSecretKey: base64Key({
    ...{ default: null, secret: true, bytes: 32 },
    text: 'Key that is accepted beside `secretKey`, and replaces it with `helix secrets rotate`; see docs/operate/secrets.md.',
  }),
  redis: redisUrls({
    default: null,
    secret: true,
    text: 'Redis or Valkey (7 or newer) that keeps the limits of all nodes of a cluster, for example `rediss://helix:password@redis.example.com:6379`; several addresses, separated by commas, are nodes of a Redis cluster. Requires `store`.',
  }),
  redisPrefix: keyPrefix({
    default: 'helix:',
    text: 'Prefix of all keys and channels in Redis. Clusters that share a Redis need different prefixes; all nodes of a cluster need the same one.',
  }),
  redisTimeoutMs: integer({
    default: 1_000,
    min: 50,
    max: 60_000,
    text: 'Maximum time for one command in Redis. If it takes longer, Redis counts as away until it answers again.',
  }),
  limitsWithoutRedis: choice(['share', 'closed'], {
    default: 'share',
    text: 'While Redis is away, `share` lets each node admit its share of the limits per minute and in flight, and `closed` refuses requests that have such limits. Requests with a budget are refused in both cases.',
  }),

  tls: choice(['off', 'self-signed'], {
    default: 'off',
    text: '`self-signed` creates a certificate in the data directory, for testing HTTPS on this machine.',
  }),
  tlsCert: path({ default: null, text: 'Certificate chain (PEM). Together with `tlsKey`, enables HTTPS.' }),
  tlsKey: path({ default: null, text: 'Private key (PEM) for `tlsCert`. Both files are reloaded when they change.' }),
  allowPlaintext: flag({
    default: false,
    text: 'Allows plain HTTP on an address that other machines can reach, for use behind a proxy that terminates TLS.',
  }),
  publicUrl: siteUrl({
    default: null,
    text: 'Public URL of the server, if it differs from host and port. Requests for other hosts are refused.',
  }),
  trustedProxies: list({
    default: [],
    text: 'IP addresses or CIDR ranges of proxies whose forwarded headers are trusted.',
  }),
  corsOrigins: origins({
    default: ['*'],
    text: 'Origins allowed to call the API from a browser (CORS); `*` for all, empty for none.',
  }),

  signUp: choice(['open', 'invitation', 'closed'], {
    editedIn: 'signUp',
    default: 'open',
    text: 'Who can create an account once the server has an owner: anyone, only people with an invitation, or nobody.',
  }),
  signUpsPerHour: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of new accounts per hour from one IP address.',
  }),
  organisationsPerAccount: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of organisations one account can own; each has its own limits.',
  }),
  smtpUrl: smtpUrl({
    editedIn: 'mail',
    default: null,
    secret: true,
    text: 'Mail server for password resets, email verification, invitations and mails about events, for example `smtps://user:password@mail.example.com`.',
  }),
  mailFrom: text({
    editedIn: 'mail',
    default: null,
    text: 'Sender address for email, for example `Helix <helix@example.com>`; required with `smtpUrl`.',
  }),

  webhookNetworks: list({
    default: [],
    text: 'IP addresses or CIDR ranges inside your network that webhooks may be sent to, also by plain HTTP, for example `10.0.0.0/8`; see docs/webhooks.md.',
    defaultText: 'only public addresses, with HTTPS',
  }),
  webhookRetentionDays: integer({
    editedIn: 'retention',
    default: 30,
    min: 3,
    max: 3650,
    text: 'How long events and the log of their deliveries are kept.',
  }),

  githubClientId: text({
    default: null,
    text: 'Sign-in with GitHub: client ID of the OAuth app; see docs/sign-in.md.',
  }),
  githubClientSecret: text({ default: null, secret: true, text: 'Client secret of the GitHub OAuth app.' }),
  githubUrl: httpUrl({ default: 'https://github.com', text: 'URL of GitHub or of a GitHub Enterprise server.' }),
  githubApiUrl: httpUrl({ default: 'https://api.github.com', text: 'URL of the GitHub API.' }),
  googleClientId: text({ default: null, text: 'Sign-in with Google: client ID of the OAuth client.' }),
  googleClientSecret: text({ default: null, secret: true, text: 'Client secret of the Google OAuth client.' }),
  oidcIssuer: httpUrl({
    default: null,
    text: 'Sign-in with an OpenID Connect provider: issuer URL, for example https://id.example.com.',
  }),
  oidcClientId: text({ default: null, text: 'Client ID at the OpenID Connect provider.' }),
  oidcClientSecret: text({ default: null, secret: true, text: 'Client secret at the OpenID Connect provider.' }),
  oidcName: text({ default: 'OpenID', text: 'Name of the OpenID Connect provider on the sign-in button.' }),

  model: path({
    default: findBundledModel(),
    defaultText: 'the bundled `models/helix-v1`',
    text: 'Path to a model folder containing a `model.json`, or to a GGUF file.',
  }),
  models: models({
    default: [],
    text: 'Models to serve, for example `[{"name": "small", "path": "/models/small.gguf", "aliases": ["tiny"], "default": true}]`; see docs/models.md. If it is set, the bundled model is not served unless it is listed.',
  }),
  modelIdleMinutes: integer({
    default: 15,
    ...idleMinutesRange,
    text: 'Minutes without requests after which a model is unloaded. 0 means never. Does not apply to the default model.',
  }),
  modelMemoryLimitBytes: integer({
    default: null,
    defaultText: 'the memory of the machine or container',
    min: 1_048_576,
    max: 1_000_000_000_000_000,
    text: 'Memory for all loaded models together. If it is short, models without requests are unloaded, the least recently used first.',
  }),
  defaultModel: modelName({
    default: null,
    text: 'Name of the default model if engine nodes serve it, whatever `models` and `upstreams` mark; the model of `model` is then not loaded on this machine. Requires `redis`; see docs/operating.md.',
  }),
  modelName: modelName({ default: null, text: 'Name under which a GGUF file or an upstream model is served.' }),
  contextTokens: integer({
    default: null,
    defaultText: "the model's own; 8192 for a GGUF file",
    ...contextTokensRange,
    text: 'Context length: maximum tokens of prompt and completion combined. The server does not start with more than the default model was trained for.',
  }),
  engineSlots: integer({
    default: 4,
    ...slotsRange,
    text: 'Number of completions that each model generates concurrently.',
  }),
  engineThreads: integer({
    default: availableParallelism(),
    defaultText: 'number of CPU cores',
    min: 1,
    max: 1024,
    text: 'Threads used by the embedded engine. Using more threads than CPU cores makes it much slower.',
  }),
  engineGpu: flagOr('required', {
    default: false,
    text: 'Runs the embedded engine on a GPU; requires additional packages, see docs/operating.md. `1`: on the CPU if no GPU can be used, with a warning; `required` (not on the command line): models are refused then, and the server does not start.',
  }),
  engineLibraries: path({
    default: null,
    text: "Folder with your own build of llama.cpp, used instead of the package's libraries; see docs/operating.md.",
  }),
  engineGpuLayers: integer({
    default: null,
    defaultText: 'all layers, or as many as fit',
    min: 0,
    max: 10_000,
    text: 'Layers of the model that run on the GPU if `engineGpu` is on, the output counted as one. A model is refused if so many do not fit in the memory of the GPU.',
  }),
  engineGpuSplitMode: choice(['layer', 'row', 'none'], {
    default: 'layer',
    text: 'How several GPUs share a model: by layers, by the rows of its matrices, or not at all (only `engineMainGpu` is used).',
  }),
  engineMainGpu: integer({
    default: 0,
    min: 0,
    max: 63,
    text: 'Index of the GPU that is used if `engineGpuSplitMode` is `none`, and for intermediate results if it is `row`.',
  }),
  engineCacheType: choice(['f16', 'q8_0'], {
    default: 'f16',
    text: 'Precision of the KV cache. `q8_0` takes about half the memory and requires flash attention.',
  }),
  engineFlashAttention: choice(['auto', 'on', 'off'], {
    default: 'auto',
    text: 'Flash attention in the embedded engine. `auto`: on if the model supports it.',
  }),
  engineSpeculation: choice(['auto', 'off'], {
    default: 'auto',
    text: 'Whether the embedded engine drafts tokens that repeat earlier text while a single completion is running. The answers are the same. `auto`: as long as it is faster.',
  }),
  engineSilenceLimitMs: integer({
    default: 28_000,
    min: 1_000,
    max: 600_000,
    text: 'How long the embedded engine process can be unresponsive before it is killed and restarted. Five times as long while a model is loading.',
  }),
  engineNodeHost: text({ default: '127.0.0.1', text: 'Address that `helix engine` listens on.' }),
  engineNodePort: integer({
    default: 8443,
    min: 0,
    max: 65_535,
    text: 'Port that `helix engine` listens on; 0 selects a free port.',
  }),
  engineNodeUrl: httpUrl({
    default: null,
    defaultText: '`engineNodeHost` and `engineNodePort`',
    text: 'Address by which the servers of the cluster reach this `helix engine`, for example `https://10.0.0.7:8443`; required if it listens on all addresses.',
  }),
  upstreamUrl: httpUrl({
    default: null,
    text: 'Base URL (ending in `/v1`) of an OpenAI-compatible engine to use instead of the embedded model.',
  }),
  upstreamModel: modelName({ default: null, text: 'Name of the model at the upstream; required with `upstreamUrl`.' }),
  upstreamKey: text({ default: null, secret: true, text: 'API key for the upstream, sent as a bearer token.' }),
  upstreamKind: choice(upstreamKinds, {
    default: 'compatible',
    text: 'Kind of the upstream, which determines the optional request fields it accepts; see docs/upstreams.md.',
  }),
  upstreamFeatures: choices(['none', ...upstreamFields], {
    default: [],
    defaultText: 'those of `upstreamKind`',
    text: 'Optional request fields the upstream accepts, instead of those of its kind. Requests with others are refused.',
  }),
  upstreamCapabilities: choices(upstreamCapabilities, {
    default: [],
    text: 'What messages to the upstream may contain besides text: images, also as addresses that the upstream reads, and audio.',
  }),
  upstreams: upstreams({
    default: [],
    text: 'Upstreams to use beside the models on this machine, for example `[{"name": "gpu", "url": "http://10.0.0.5:8000/v1", "keyFrom": "GPU_KEY", "models": ["qwen"]}]`; see docs/upstreams.md.',
  }),

  modelHubUrl: httpUrl({
    default: 'https://huggingface.co',
    text: 'Model hub for `helix models pull hf:OWNER/REPOSITORY/FILE`.',
  }),
  modelHubToken: text({
    default: null,
    secret: true,
    text: 'Access token for the model hub, for files that are not public.',
  }),

  ...limitSettings,
  answerReservationTokens: integer({
    default: 1024,
    min: 1,
    max: 1_048_576,
    text: 'Tokens reserved at a time for each choice of a request without `max_completion_tokens`; more are reserved as they are used up.',
  }),
  refusedRequestsPerMinute: limit({
    default: 600,
    text: 'Rejected requests per minute for a key. Above this limit, requests with the key are rejected before the body is read. One with a large body counts as one for every 2 ms of CPU time it took.',
  }),
  organisationRefusedRequestsPerMinute: limit({
    default: 2_400,
    text: 'Rejected requests per minute for all keys of an organisation and its playground combined.',
  }),
  currency: currency({
    default: 'USD',
    text: 'Currency of all prices, costs and budgets: an ISO 4217 code. It is only a label; nothing is converted.',
  }),
  prices: prices({
    editedIn: 'prices',
    default: {},
    defaultText: 'those of the upstreams; otherwise none',
    text: 'Prices of models by name, in units of `currency` for a million tokens, for example `{"helix-v1": {"prompt": 0.1, "cached": 0.02, "completion": 0.4}}`; see docs/limits.md.',
  }),
  hostedPrices: path({
    default: null,
    defaultText: 'bundled',
    text: 'JSON file with the prices of hosted models, for upstreams with a `preset` and models without a price of their own; see docs/upstreams.md.',
  }),
  timeZone: timeZone({ default: 'UTC', text: 'Time zone in which days and months start, for budgets and usage.' }),

  resumeGraceMs: integer({
    default: 30_000,
    min: 0,
    max: 3_600_000,
    text: 'How long generation continues after the client disconnects, for requests with an Idempotency-Key.',
  }),
  replayRetentionHours: integer({
    editedIn: 'retention',
    default: 24,
    min: 1,
    max: 720,
    text: 'How long responses to requests with an Idempotency-Key are stored for replay.',
  }),
  replayAnswerLimitBytes: integer({
    default: 16_777_216,
    min: 65_536,
    max: 1_073_741_824,
    text: 'Largest response stored for replay. Of a larger response, only the part that clients have not received yet is kept.',
  }),
  replayMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum memory for responses being replayed.',
  }),
  replayDiskLimitBytes: integer({
    default: 1_073_741_824,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Maximum disk space for responses stored for replay.',
  }),
  hooks: hooks({
    default: [],
    text: 'What looks at requests before they are answered and at answers before they are sent: patterns and secrets of known shapes to redact or block, and HTTP servers to ask; see docs/hooks.md.',
  }),
  hookSecret: hookSecrets({
    default: null,
    secret: true,
    text: 'Secret with which requests to HTTP hooks are signed, as webhooks are: `whsec_` and 24 to 64 bytes in Base64; two, separated by a comma, while it is replaced. See docs/hooks.md.',
  }),
  cacheModels: list({
    default: [],
    text: 'Models whose answers are kept and sent again to the same request of the same organisation, if its temperature is 0 or it has the header `x-helix-cache: on`; `*` for all models. See docs/cache.md.',
  }),
  cacheKeys: list({
    default: [],
    text: 'IDs of API keys for whose requests the same applies, whatever the model.',
  }),
  cacheStore: choice(['database', 'redis'], {
    default: 'database',
    text: 'Where cached answers are. `redis` needs `redis`, the Redis of a cluster.',
  }),
  cachePricePercent: integer({
    default: 0,
    min: 0,
    max: 100,
    text: "What an answer from the cache costs, in percent of the model's price.",
  }),
  cacheRetentionHours: integer({
    editedIn: 'retention',
    default: 24,
    min: 1,
    max: 8760,
    text: 'How long answers stay in the cache.',
  }),
  cacheLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Maximum size of the cache. Beyond it, the oldest answers of the organisation with the most are removed.',
  }),
  cacheAnswerLimitBytes: integer({
    default: 1_048_576,
    min: 1024,
    max: 16_777_216,
    text: 'Largest answer that is kept in the cache.',
  }),
  ledgerRetentionDays: integer({
    editedIn: 'retention',
    default: 400,
    min: 32,
    max: 36_500,
    text: 'How long individual requests, including rejected ones, are kept in the request log. Daily totals are kept indefinitely.',
  }),

  auditRetentionDays: integer({
    editedIn: 'retention',
    default: 400,
    min: 1,
    max: 36_500,
    text: 'How long events are kept in the audit log.',
  }),

  auditFile: path({
    default: null,
    text: 'File to which the events of the audit log are appended, one JSON object per line; see docs/operate/logs.md.',
  }),
  auditSyslog: syslogUrl({
    default: null,
    text: 'Syslog server to which the events of the audit log are sent (RFC 5424), for example `tcp://logs.example.com:514`, or `udp://`, which does not notice losses.',
  }),

  backupDir: path({
    default: null,
    text: 'Folder in which the server writes a backup of its SQLite database on a schedule; see docs/operate/backup.md.',
  }),
  backupIntervalHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    text: 'Hours from one backup in `backupDir` to the next.',
  }),
  backupsKept: integer({
    default: 7,
    min: 1,
    max: 10_000,
    text: 'Number of backups kept in `backupDir`. Older ones are deleted when a new one is complete.',
  }),
  backupPassphrase: text({
    default: null,
    secret: true,
    text: 'Passphrase that encrypts the secret key and the settings in backups. Without it, backups do not contain them.',
  }),

  queueLimit: integer({
    default: null,
    defaultText: '`64` for each model, `1024` for each model of upstreams',
    min: 0,
    max: 100_000,
    text: 'Maximum number of requests waiting for a slot.',
  }),
  organisationQueueLimit: integer({
    default: null,
    defaultText: 'as many as `queueLimit`',
    min: 0,
    max: 100_000,
    text: 'Maximum number of requests waiting for a slot of one organisation, or of the organisations of one owner together.',
  }),
  queueTimeoutMs: integer({
    default: 60_000,
    min: 1,
    max: 3_600_000,
    text: 'Maximum time a request waits for a slot.',
  }),
  organisationWeights: weights({
    default: [],
    text: "Organisations' shares of the engine while requests wait, for example `org_a=4,org_b=0.5`; 1 for all others.",
  }),
  reservedSlots: integer({
    default: 1,
    min: 0,
    max: 255,
    text: 'Slots kept for callers that have none, so that their first request starts at once and not after a turn; the organisations of one owner count as one caller. At least one slot is not kept. With `0`, one caller can use every slot while nobody else waits.',
  }),

  bodyLimitBytes: integer({
    default: 4_194_304,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of a request body.',
  }),
  strictRequests: flag({
    default: false,
    text: 'Refuses requests to models with unknown fields. Otherwise such fields are ignored, and the response header `x-helix-ignored-fields` lists them. A client can ask for the same with the header `x-helix-strict: 1`.',
  }),
  partLimitBytes: integer({
    default: 5_242_880,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of an image or recording in a request, decoded; the body as a whole is limited by `bodyLimitBytes`.',
  }),
  partsLimitBytes: integer({
    default: 20_971_520,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of all images and recordings in a request together.',
  }),
  bodyMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 1_048_576,
    max: 68_719_476_736,
    text: 'Maximum memory for all request bodies, from the first byte received until the response starts; at least `bodyMemoryShareBytes`.',
  }),
  bodyMemoryShareBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum share of `bodyMemoryLimitBytes` for one client address or one organisation; at least `bodyLimitBytes`.',
  }),
  answerLimitBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 4_294_967_296,
    text: 'Maximum memory for one response that is not streamed or is stored, including all choices and log probabilities.',
  }),
  answerBufferLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum memory for generated output that slow clients have not received yet. Above this limit, generation waits for them. Log probabilities of prompts in responses that are not streamed count too; without space for them, requests are refused.',
  }),
  headerLimitBytes: integer({
    default: 16_384,
    min: 1024,
    max: 1_048_576,
    text: 'Maximum size of the request headers.',
  }),
  headersTimeoutMs: integer({
    default: 10_000,
    min: 1,
    max: 600_000,
    text: 'Maximum time to receive the request headers.',
  }),
  bodyTimeoutMs: integer({
    default: 30_000,
    min: 1,
    max: 3_600_000,
    text: 'Maximum time to receive the complete request.',
  }),
  idleTimeoutMs: integer({
    default: 75_000,
    min: 1,
    max: 3_600_000,
    text: 'How long an idle keep-alive connection stays open.',
  }),
  generationTimeoutMs: integer({
    default: 600_000,
    min: 1,
    max: 86_400_000,
    text: 'Maximum time for one request, including the wait for a slot, but not the time in which its answer is paused for others.',
  }),
  heartbeatMs: integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    text: 'How long a stream can be silent before a ping is sent, including before the first token.',
  }),
  stallTimeoutMs: integer({
    default: 30_000,
    min: 100,
    max: 3_600_000,
    text: 'How long a client can stop reading a stream before the connection is closed.',
  }),
  shutdownGraceMs: integer({
    default: 25_000,
    min: 0,
    max: 3_600_000,
    text: 'How long running requests can take to finish at shutdown.',
  }),
  shutdownDelayMs: integer({
    default: 10_000,
    min: 0,
    max: 3_600_000,
    text: 'How long all requests are still served after SIGTERM while `/readyz` returns 503, if a load balancer requests it. Part of `shutdownGraceMs`.',
  }),

  apiKey: text({
    default: null,
    secret: true,
    text: 'API key for `helix chat`, instead of a temporary key it creates.',
  }),
  logLevel: choice(logLevels, {
    default: 'info',
    text: 'Least level of the events in the log. With `warn` or `error`, requests that succeed are not logged.',
  }),
  logFormat: choice(['auto', 'json', 'text'], {
    default: 'auto',
    text: 'Log format: JSON lines or human-readable text. `auto` uses text on a terminal and JSON otherwise.',
  }),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
export type Config = { [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

/** Those that can be changed while the server runs. */
export const runTimeNames = settingNames.filter((name) => 'editedIn' in settings[name])

/** Every user of the machine can read a secret on a command line. */
export const flagSettingNames = settingNames.filter(
  (name) => !('secret' in settings[name] || 'hasNoFlag' in settings[name]),
)

const words = (name: string): string[] => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
export const environmentName = (name: string): string => `HELIX_${words(name).join('_').toUpperCase()}`
export const flagName = (name: string): string => words(name).join('-')
