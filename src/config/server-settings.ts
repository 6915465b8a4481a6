import { base64Key, choice, integer, keyPrefix, list, path, type Setting, text } from './setting.ts'
import { tracesSettings } from './traces-settings.ts'
import { postgresUrl, redisUrls } from './url-setting.ts'

/** Where the server listens, where its data and metrics are, and what it shares with the other nodes of a cluster. */
export const serverSettings = {
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
} satisfies Record<string, Setting<unknown>>
