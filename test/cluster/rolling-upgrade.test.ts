import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { postgresMigrations } from '../../src/store/migrations/migrations.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { endsWithFile } from '../harness/ends-with-file.ts'
import { readRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { databaseUrl, execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { noPreviousVersion, unpackPreviousVersion } from '../harness/previous-version.ts'
import { startRedis } from '../harness/redis/start-redis.ts'
import { startedRedis } from '../harness/redis/started-redis.ts'
import { runProgram } from '../harness/run-program.ts'
import { doneEvent, finishEvent, pieceEvent, say, startUpstream, usageEvent } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const postgres = await startedPostgres()
const redis = await startedRedis()
const missing = noPreviousVersion()
if (missing !== null) console.warn(`The test of a rolling upgrade from the previous version is not run: ${missing}.`)

/** Both versions, as processes, on one database and one Redis. */
let older: Program
let newer: Program
let storeUrl: string
/** Answers to a question with the word "wait" have a second part only after this. */
let more = Promise.withResolvers<void>()

const createDatabase = async (server: string): Promise<string> => {
  const name = `helix_upgrade_${randomBytes(6).toString('hex')}`
  await execSql(server, `CREATE DATABASE ${name}`)
  endsWithFile(() => execSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return databaseUrl(server, name)
}

const start = async (server: string, redisProgram: string): Promise<void> => {
  const upstream = await startUpstream(async (response, { body }) => {
    if (!JSON.stringify(body).includes('wait')) return say(response, 'Hello')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one '))
    await more.promise
    response.end(pieceEvent('two') + finishEvent() + usageEvent(7, 2) + doneEvent)
  })
  storeUrl = await createDatabase(server)
  const ownRedis = await startRedis(redisProgram)
  endsWithFile(ownRedis.close)
  const env = {
    HELIX_STORE: storeUrl,
    HELIX_REDIS: ownRedis.url,
    // A slow machine answers late, and a test must not take that for a fault.
    HELIX_REDIS_TIMEOUT_MS: '30000',
    HELIX_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    HELIX_UPSTREAM_URL: upstream.baseUrl,
    HELIX_UPSTREAM_MODEL: 'theirs',
    HELIX_MODEL_NAME: 'ours',
  }
  older = await startProgram({ helix: await unpackPreviousVersion(), env: { ...env, HELIX_NODE_NAME: 'older' } })
  newer = await startProgram({ env: { ...env, HELIX_NODE_NAME: 'newer' } })
}

const createKey = async (...limits: string[]): Promise<string> => {
  const args = ['keys', 'create', '--name', 'test', '--json', '--data-dir', newer.dataDir, ...limits]
  return JSON.parse((await runProgram(args)).stdout).key
}

type Question = {
  at: Program
  key: string
  content?: string
  stream?: boolean
  headers?: Record<string, string>
}
const ask = ({ at, key, content = 'Hi', stream = false, headers = {} }: Question): Promise<Response> =>
  fetch(`${at.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'ours', stream, max_tokens: 50, messages: [{ role: 'user', content }] }),
  })

const both = (): Program[] => [older, newer]
const turns = (): [string, Program, Program][] => [
  ['older', older, newer],
  ['newer', newer, older],
]

describe.skipIf(postgres === null || typeof redis?.program !== 'string' || missing !== null)(
  'an upgrade, node by node',
  () => {
    beforeAll(() => start(postgres?.url ?? '', redis?.program ?? ''))

    test('both versions answer and write one ledger, also when a still newer one adds to the database', async () => {
      const key = await createKey()
      for (const at of both()) expect((await ask({ at, key })).status).toBe(200)
      const addition = {
        id: (postgresMigrations.at(-1)?.id ?? 0) + 1,
        name: 'an addition',
        postgres: 'ALTER TABLE api_keys ADD COLUMN colour TEXT; CREATE TABLE extras (id TEXT PRIMARY KEY);',
      }
      const store = await openPostgresStore({
        ...{ url: storeUrl, clock: createManualClock(), poolSize: 2, isShared: true },
        migrations: [...postgresMigrations, addition],
      })
      await store.close()
      for (const at of both()) expect(await (await ask({ at, key, stream: true })).text()).toContain('[DONE]')
      const rows = await readRows({ dataDir: '', storeUrl })
      expect(rows.map(({ settlement }) => settlement?.outcome)).toEqual(rows.map(() => 'completed'))
      expect(rows).toHaveLength(4)
    })

    test('an answer of one version is replayed by the other', async () => {
      const key = await createKey()
      const before = (await readRows({ dataDir: '', storeUrl })).length
      for (const [name, first, second] of turns()) {
        const headers = { 'idempotency-key': `replayed ${name}` }
        const answer = await (await ask({ at: first, key, headers })).text()
        const again = await ask({ at: second, key, headers })
        expect(again.headers.get('idempotent-replayed')).toBe('true')
        expect(await again.text()).toBe(answer)
      }
      expect(await readRows({ dataDir: '', storeUrl })).toHaveLength(before + 2)
    })

    test('a stream that broke at one version goes on at the other while it runs', async () => {
      const key = await createKey()
      for (const [name, first, second] of turns()) {
        more = Promise.withResolvers<void>()
        const question = { key, content: 'wait', stream: true }
        const headers = { 'idempotency-key': `resumed ${name}` }
        const broken = liveEvents(await ask({ ...question, at: first, headers }))
        await broken.until('one ')
        const resumed = liveEvents(await ask({ ...question, at: second, headers }))
        more.resolve()
        expect((await resumed.rest()).map(textOf)).toEqual(['', 'one ', 'two', undefined, '[DONE]'])
        expect((await broken.rest()).map(textOf)).toEqual(['two', undefined, '[DONE]'])
      }
    })

    test('both versions count the same requests in flight', async () => {
      const key = await createKey('--in-flight', '3')
      more = Promise.withResolvers<void>()
      const asked = Array.from({ length: 4 }, () => both().map((at) => ask({ at, key, content: 'wait', stream: true })))
      const answers = await Promise.all(asked.flat())
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
      more.resolve()
      const texts = await Promise.all(answers.map((answer) => answer.text()))
      expect(texts.filter((text) => text.includes('[DONE]'))).toHaveLength(3)
    })

    test('both versions together do not pass a budget', async () => {
      const budget = 300
      const key = await createKey('--budget-monthly', String(budget))
      const known = new Set((await readRows({ dataDir: '', storeUrl })).map(({ requestId }) => requestId))
      const asked = Array.from({ length: 40 }, () => both().map((at) => ask({ at, key })))
      const answers = await Promise.all(asked.flat())
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
      const rows = (await readRows({ dataDir: '', storeUrl })).filter(({ requestId }) => !known.has(requestId))
      const used = rows.map(({ settlement }) => (settlement?.promptTokens ?? 0) + (settlement?.completionTokens ?? 0))
      expect(rows).toHaveLength(answers.filter(({ status }) => status === 200).length)
      expect(used.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(budget)
    })

    test('the totals are those of the ledger, and both versions stop', async () => {
      const verify = ['usage', '--verify', '--json', '--data-dir', newer.dataDir]
      const verified = await runProgram(verify)
      expect(verified).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] })
      for (const node of both()) expect(await node.stop()).toBe(0)
    })
  },
)
