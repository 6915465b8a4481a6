import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { migrations } from '../../src/store/migrations/migrations.ts'
import { endsWithFile } from '../harness/ends-with-file.ts'
import { isFullGrid } from '../harness/grid.ts'
import { unpackNextVersion } from '../harness/next-version.ts'
import { databaseUrl, execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { noPreviousVersion, unpackPreviousVersion } from '../harness/previous-version.ts'
import { startRedis } from '../harness/redis/start-redis.ts'
import { startedRedis } from '../harness/redis/started-redis.ts'
import { helixPath, runProgram } from '../harness/run-program.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const postgres = await startedPostgres()
const redis = await startedRedis()

const createDatabase = async (server: string): Promise<string> => {
  const name = `helix_rollback_${randomBytes(6).toString('hex')}`
  await execSql(server, `CREATE DATABASE ${name}`)
  endsWithFile(() => execSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return databaseUrl(server, name)
}

describe.skipIf(postgres === null || typeof redis?.program !== 'string')('two nodes under load', () => {
  test('are upgraded one after the other from the last release, once more, and back again, without a failed request', async () => {
    const last = noPreviousVersion() === null ? await unpackPreviousVersion() : helixPath
    const next = unpackNextVersion({ readableSince: migrations.at(-1)?.id ?? 0 })
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const ownRedis = await startRedis(redis?.program ?? '')
    endsWithFile(ownRedis.close)
    const env = {
      HELIX_STORE: await createDatabase(postgres?.url ?? ''),
      HELIX_REDIS: ownRedis.url,
      HELIX_REDIS_TIMEOUT_MS: '30000',
      HELIX_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      HELIX_UPSTREAM_URL: upstream.baseUrl,
      HELIX_UPSTREAM_MODEL: 'theirs',
      HELIX_MODEL_NAME: 'ours',
    }
    const start = (helix: string): Promise<Program> =>
      startProgram({ helix, env: { ...env, ...(helix === last ? {} : { HELIX_SHUTDOWN_DELAY_MS: '0' }) } })
    const nodes = [await start(last), await start(last)]
    const create = ['keys', 'create', '--name', 'test', '--json', '--data-dir', nodes[0]?.dataDir ?? '']
    const { key } = JSON.parse((await runProgram(create, { command: last })).stdout)

    // As a load balancer: a node that is about to stop gets no more requests.
    const [statuses, running]: [number[], Set<Promise<unknown>>] = [[], new Set()]
    let isLoaded = true
    let turn = 0
    const ask = async ({ url }: Program): Promise<void> => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'ours', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      })
      statuses.push((await response.text()).includes('[DONE]') ? response.status : 0)
    }
    const load = Array.from({ length: 2 }, async () => {
      while (isLoaded) {
        turn += 1
        const node = nodes[turn % nodes.length]
        if (node === undefined) throw new Error('no node serves')
        const asked = ask(node).catch(() => void statuses.push(-1))
        running.add(asked)
        await asked
        running.delete(asked)
        // Clients that never pause take the time that the nodes need to start.
        await setTimeout(20)
      }
    })
    const replace = async (helix: string): Promise<void> => {
      const old = nodes.shift()
      const before = statuses.length
      await Promise.all(running)
      expect(await old?.stop()).toBe(0)
      nodes.push(await start(helix))
      // Both versions have answered side by side.
      await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
    }
    // Those after the next version start once it has migrated the database.
    const versions = isFullGrid ? [helixPath, helixPath, next, helixPath, helixPath] : [helixPath, next, helixPath]
    for (const helix of versions) await replace(helix)
    isLoaded = false
    await Promise.all(load)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    const verified = await runProgram(['usage', '--verify', '--json', '--data-dir', nodes[0]?.dataDir ?? ''])
    expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] })
    for (const node of nodes) expect(await node.stop()).toBe(0)
  }, 600_000)
})
