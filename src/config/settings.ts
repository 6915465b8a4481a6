import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { newOrganisationLimits } from './new-organisation-limits.ts'
import {
  choice,
  flag,
  httpUrl,
  integer,
  limit,
  list,
  organisationLimit,
  origins,
  path,
  type Setting,
  smtpUrl,
  text,
  timeZone,
} from './setting.ts'

/**
 * Every setting of the program. Its name here is its name in `helix.config.json`; `HELIX_DATA_DIR` and `--data-dir` are
 * made from it. `docs/config.md` is written from this table.
 */
export const settings = {
  host: text({ default: '127.0.0.1', text: 'Address to listen on.' }),
  port: integer({ default: 8080, min: 0, max: 65_535, text: 'Port to listen on; 0 takes a free one.' }),
  dataDir: path({ default: './data', text: 'Directory of the database, the lock and the local socket.' }),

  tls: choice(['off', 'self-signed'], {
    default: 'off',
    text: '`self-signed` makes a certificate in the data directory, for trying HTTPS on this machine.',
  }),
  tlsCert: path({ default: null, text: 'Certificate chain (PEM). With `tlsKey` it switches HTTPS on.' }),
  tlsKey: path({ default: null, text: 'Private key (PEM) of `tlsCert`. Both are read again when the files change.' }),
  allowPlaintext: flag({
    default: false,
    text: 'Allows plain HTTP on an address that other machines can reach, for running behind a proxy that does TLS.',
  }),
  publicUrl: httpUrl({ default: null, text: 'The address people use, when it differs from host and port.' }),
  trustedProxies: list({
    default: [],
    text: 'Addresses or networks (CIDR) of proxies whose forwarded headers count.',
  }),
  corsOrigins: origins({
    default: ['*'],
    text: 'Web pages whose scripts may call the API from a browser; `*` for all, empty for none.',
  }),

  signUp: choice(['open', 'invitation', 'closed'], {
    default: 'open',
    text: 'Who may make an account once the server has an owner: anyone, people with an invitation, nobody.',
  }),
  signUpsPerHour: integer({
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'New accounts from one address in an hour.',
  }),
  organisationsPerAccount: integer({
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Organisations that one account may own; each has limits of its own.',
  }),
  smtpUrl: smtpUrl({
    default: null,
    secret: true,
    text: 'Mail server for password resets, email verification and invitations, as `smtps://user:password@mail.example.com`.',
  }),
  mailFrom: text({
    default: null,
    text: 'Sender of those mails, as `Helix <helix@example.com>`; needed with `smtpUrl`.',
  }),

  githubClientId: text({ default: null, text: 'Sign-in with GitHub: id of the OAuth app, see docs/sign-in.md.' }),
  githubClientSecret: text({ default: null, secret: true, text: 'Its secret.' }),
  githubUrl: httpUrl({ default: 'https://github.com', text: 'GitHub, or an enterprise server.' }),
  githubApiUrl: httpUrl({ default: 'https://api.github.com', text: 'Its API.' }),
  googleClientId: text({ default: null, text: 'Sign-in with Google: id of the OAuth client.' }),
  googleClientSecret: text({ default: null, secret: true, text: 'Its secret.' }),
  oidcIssuer: httpUrl({
    default: null,
    text: 'Sign-in with any OpenID Connect provider: its issuer, as https://id.example.com.',
  }),
  oidcClientId: text({ default: null, text: 'Id of the client there.' }),
  oidcClientSecret: text({ default: null, secret: true, text: 'Its secret.' }),
  oidcName: text({ default: 'OpenID', text: 'What the button calls that provider.' }),

  model: path({
    default: fileURLToPath(new URL('../../models/helix-v1', import.meta.url)),
    defaultText: '`models/helix-v1` of the program',
    text: 'Model folder with a `model.json`, or a GGUF file.',
  }),
  modelName: text({ default: null, text: 'Name under which a GGUF file or an upstream model is served.' }),
  contextTokens: integer({
    default: null,
    defaultText: "the model's own; 8192 for a GGUF file",
    min: 256,
    max: 1_048_576,
    text: 'Most tokens of prompt and answer together; never more than the model was made for.',
  }),
  engineSlots: integer({ default: 4, min: 1, max: 256, text: 'Answers that are generated at once.' }),
  engineThreads: integer({
    default: availableParallelism(),
    defaultText: 'the cores of the machine',
    min: 1,
    max: 1024,
    text: 'Threads of the embedded engine. More than there are cores makes it much slower.',
  }),
  engineGpu: flag({
    default: false,
    text: 'Runs the embedded engine on a GPU; needs the packages for it, see docs/operating.md.',
  }),
  engineSilenceLimitMs: integer({
    default: 28_000,
    min: 1_000,
    max: 600_000,
    text: 'Longest time the process of the embedded engine may not answer; then it is killed and started again. Five times as long while it loads.',
  }),
  upstreamUrl: httpUrl({
    default: null,
    text: 'Base URL (ending in `/v1`) of an OpenAI-style engine that answers instead of the embedded model.',
  }),
  upstreamModel: text({ default: null, text: 'Name of the model at the upstream; needed with `upstreamUrl`.' }),
  upstreamKey: text({ default: null, secret: true, text: 'Bearer key for the upstream.' }),

  requestsPerMinute: limit({ text: 'Requests of all organisations together in any minute.' }),
  tokensPerMinute: limit({ text: 'Tokens of all organisations together in any minute.' }),
  requestsInFlight: limit({ text: 'Requests of all organisations together at one time.' }),
  tokensPerDay: limit({ text: 'Tokens of all organisations together in a day.' }),
  tokensPerMonth: limit({ text: 'Tokens of all organisations together in a month.' }),
  organisationRequestsPerMinute: organisationLimit({
    usual: newOrganisationLimits.requestsPerMinute,
    text: 'Requests of an organisation in any minute, unless the owner gave it another limit.',
  }),
  organisationTokensPerMinute: organisationLimit({
    usual: newOrganisationLimits.tokensPerMinute,
    text: 'Tokens of an organisation in any minute, likewise.',
  }),
  organisationRequestsInFlight: organisationLimit({
    usual: newOrganisationLimits.requestsInFlight,
    text: 'Requests of an organisation at one time, likewise.',
  }),
  organisationTokensPerDay: limit({ text: 'Tokens of an organisation in a day, likewise.' }),
  organisationTokensPerMonth: limit({ text: 'Tokens of an organisation in a month, likewise.' }),
  answerReservationTokens: integer({
    default: 1024,
    min: 1,
    max: 1_048_576,
    text: 'Tokens that are reserved for each choice of an answer without `max_completion_tokens`, and again whenever they are used up.',
  }),
  refusedRequestsPerMinute: limit({
    default: 600,
    text: 'Refused requests of a key in any minute; beyond it, requests of the key are refused before their body is read.',
  }),
  organisationRefusedRequestsPerMinute: limit({
    default: 2_400,
    text: 'Refused requests of all keys of an organisation and its playground in any minute, likewise.',
  }),
  timeZone: timeZone({ default: 'UTC', text: 'Where days and months begin: budgets and usage follow it.' }),

  resumeGraceMs: integer({
    default: 30_000,
    min: 0,
    max: 3_600_000,
    text: 'How long an answer with an Idempotency-Key goes on when its client is gone.',
  }),
  replayRetentionHours: integer({
    default: 24,
    min: 1,
    max: 720,
    text: 'How long an answer with an Idempotency-Key is kept for a retry.',
  }),
  replayAnswerLimitBytes: integer({
    default: 16_777_216,
    min: 65_536,
    max: 1_073_741_824,
    text: 'Longest answer that is kept for a retry; of a longer one only what its readers have not read yet.',
  }),
  replayMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Most memory for answers that are being told again.',
  }),
  replayDiskLimitBytes: integer({
    default: 1_073_741_824,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Most room on disk for answers that are kept for a retry.',
  }),
  ledgerRetentionDays: integer({
    default: 400,
    min: 32,
    max: 36_500,
    text: 'How long single requests, also refused ones, stay in the log. Totals by day stay for good.',
  }),

  auditRetentionDays: integer({
    default: 400,
    min: 1,
    max: 36_500,
    text: 'How long events stay in the audit.',
  }),

  queueLimit: integer({ default: 64, min: 0, max: 100_000, text: 'Requests that may wait for a slot.' }),
  queueTimeoutMs: integer({ default: 60_000, min: 1, max: 3_600_000, text: 'Longest wait for a slot.' }),

  bodyLimitBytes: integer({ default: 4_194_304, min: 1024, max: 1_073_741_824, text: 'Largest request body.' }),
  bodyMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 1_048_576,
    max: 68_719_476_736,
    text: 'Most memory for all request bodies from their first byte until their answers begin; at least `bodyMemoryShareBytes`.',
  }),
  bodyMemoryShareBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 68_719_476_736,
    text: 'How much of it one client address or one organisation may take; at least `bodyLimitBytes`.',
  }),
  answerLimitBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 4_294_967_296,
    text: 'Most memory for one answer that is not streamed, or is stored: all its choices and probabilities.',
  }),
  answerBufferLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Most memory for what the model has said and slow clients have not taken yet; beyond it the model waits for them.',
  }),
  headerLimitBytes: integer({ default: 16_384, min: 1024, max: 1_048_576, text: 'Largest request head.' }),
  headersTimeoutMs: integer({ default: 10_000, min: 1, max: 600_000, text: 'Time for the request head to arrive.' }),
  bodyTimeoutMs: integer({ default: 30_000, min: 1, max: 3_600_000, text: 'Time for the whole request to arrive.' }),
  idleTimeoutMs: integer({ default: 75_000, min: 1, max: 3_600_000, text: 'Time a kept connection may stay unused.' }),
  generationTimeoutMs: integer({
    default: 600_000,
    min: 1,
    max: 86_400_000,
    text: 'Longest time for one answer, its wait for a slot included.',
  }),
  heartbeatMs: integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    text: 'Pause in a stream after which a ping is sent, also before its first token.',
  }),
  stallTimeoutMs: integer({
    default: 30_000,
    min: 100,
    max: 3_600_000,
    text: 'Longest time a client may leave a stream unread before its connection is ended.',
  }),
  shutdownGraceMs: integer({
    default: 25_000,
    min: 0,
    max: 3_600_000,
    text: 'Time for running requests to end at a stop.',
  }),

  apiKey: text({ default: null, secret: true, text: 'Key that `helix chat` uses instead of one of its own.' }),
  logFormat: choice(['auto', 'json', 'text'], {
    default: 'auto',
    text: 'Form of the log: JSON lines, or a readable form. `auto`: readable on a terminal.',
  }),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
export type Config = { [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

/** A secret on a command line could be read by every user of the machine. */
export const flagSettingNames = settingNames.filter((name) => !('secret' in settings[name]))

const words = (name: string): string[] => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
export const environmentName = (name: string): string => `HELIX_${words(name).join('_').toUpperCase()}`
export const flagName = (name: string): string => words(name).join('-')
