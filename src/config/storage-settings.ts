import { base64Key, integer, path, type Setting } from './setting.ts'
import { postgresUrl } from './url-setting.ts'

/** Where data is kept, and the keys that encrypt its secrets. */
export const storageSettings = {
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
} satisfies Record<string, Setting<unknown>>
