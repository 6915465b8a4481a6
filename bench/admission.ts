import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../src/base/clock.ts'
import { newId } from '../src/base/ids.ts'
import { createLog } from '../src/base/log.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { createKeyRegistry } from '../src/keys/key-registry.ts'
import { createKeyVerifier } from '../src/keys/verify-key.ts'
import { createLimiter } from '../src/limits/create-limiter.ts'
import { lockDataDirectory } from '../src/store/data-directory.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { openLedger } from '../src/usage/open-ledger.ts'

/** High enough that every limit is checked and none refuses a request. */
const plenty = 1_000_000_000_000
const everyLimit = {
  requestsPerMinute: plenty,
  tokensPerMinute: plenty,
  requestsInFlight: plenty,
  tokensPerDay: plenty,
  tokensPerMonth: plenty,
}
const settings = {
  ...loadConfig({ flags: {}, environment: {}, configFile: null }),
  ...everyLimit,
  organisationRequestsPerMinute: plenty,
  organisationTokensPerMinute: plenty,
  organisationRequestsInFlight: plenty,
  organisationTokensPerDay: plenty,
  organisationTokensPerMonth: plenty,
}
const mostUsedKeys = 100
const counts = { promptTokens: 100, cachedTokens: 0, completionTokens: 50, reasoningTokens: 0 }
const ending = {
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 0,
  firstTokenMs: 12,
  durationMs: 340,
} as const

/** The steps around an answer, with the real parts and a real store, composed as in `serve.ts`. */
export const openAdmission = async (folder: string, storedKeys: number) => {
  const clock = systemClock
  const directory = await lockDataDirectory(folder, { clock, waitMs: 0 })
  const store = await openSqliteStore({ directory, clock })
  const secrets = await createKeys(store, Math.min(storedKeys, mostUsedKeys))
  fillWithKeys(join(folder, 'helix.db'), storedKeys - secrets.length)
  const log = createLog({ clock, format: 'json', write: () => {}, hideSecrets: (text) => text })
  const verifier = createKeyVerifier({ records: store.keys, clock })
  const ledger = await openLedger({ records: store.ledger, timeZone: settings.timeZone, clock, log })
  const limiter = await createLimiter({ store, clock, settings, findPrice: () => null, hasFreeModel: () => true })
  let requests = 0
  return {
    /** Runs one request, rotating through the given number of keys. */
    async request(requestId: string, usedKeys: number): Promise<void> {
      requests += 1
      const verdict = await verifier.verify(`Bearer ${secrets[requests % usedKeys]}`)
      if (verdict.outcome !== 'valid') throw new Error(`the key is ${verdict.outcome}`)
      const { key } = verdict
      const { organisationId } = key
      const ask = { organisationId, key, model: 'helix-v1', promptTokens: 100, completionTokens: 400 }
      const reservation = await limiter.admit(ask)
      const entry = await ledger.reserve({
        requestId,
        organisationId,
        keyId: key.id,
        model: 'helix-v1',
        endpoint: 'chat.completions',
        stream: true,
        reservedTokens: 500,
        price: null,
        reservedMicros: null,
        limits: reservation.applied,
        createdAt: clock.now(),
      })
      entry.count(counts)
      const { durable } = entry.settle(ending)
      reservation.settle(counts, durable)
      await durable
    },
    async close(): Promise<void> {
      await ledger.close()
      await store.close()
      directory.release()
    },
  }
}

const createKeys = async (
  store: Parameters<typeof createKeyRegistry>[0]['store'],
  count: number,
): Promise<string[]> => {
  const registry = createKeyRegistry({ store, clock: systemClock, onChanged: () => {}, unwrittenUse: () => null })
  const created = await Promise.all(
    Array.from({ length: count }, (_, index) => registry.create({ name: `used ${index}`, limits: everyLimit })),
  )
  return created.map((one) => {
    if (one.outcome === 'refused') throw new Error(`the key was refused: ${one.reason}`)
    return one.key
  })
}

/** Inserts unused keys directly into the file: creating a million through the registry would take minutes. */
const fillWithKeys = (file: string, count: number): void => {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  const organisation = db.prepare('SELECT id FROM organisations').get()?.id ?? ''
  const insert = db.prepare(
    `INSERT INTO api_keys (id, organisation_id, name, prefix, last_four, secret_hash, created_at)
     VALUES (?, ?, 'unused', 'hx_abcd', 'wxyz', ?, 0)`,
  )
  db.exec('BEGIN')
  for (let key = 0; key < count; key += 1)
    insert.run(newId('key'), organisation, createHash('sha256').update(randomBytes(16)).digest())
  db.exec('COMMIT')
  db.close()
}
