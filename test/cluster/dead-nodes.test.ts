import { describe, expect, test } from 'vitest'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { liveEvents } from '../harness/live-events.ts'
import type { LogEvent } from '../harness/log-catcher.ts'
import { newRedisPrefix } from '../harness/redis/started-redis.ts'
import { pieceEvent, startUpstream } from '../harness/scripted-upstream.ts'
import type { Helix } from '../harness/start-helix.ts'
import { startProgram } from '../harness/start-program.ts'

/** So that the survivor judges soon; silence is simulated in the database. */
const leaseTimes = { beatMs: 50, leaseMs: 30_000, jitter: 0 }
const model = 'elsewhere'

/** A node in this process, and one in a process of its own with a stream that does not end by itself. */
const startWithProgram = async () => {
  const cluster = await startCluster({ nodes: 1, leaseTimes })
  const upstream = await startUpstream(async (response, { url }) => {
    if (!url.endsWith('/chat/completions')) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Once') + pieceEvent(' upon'))
  })
  const program = await startProgram({
    env: {
      HELIX_STORE: cluster.databaseUrl,
      HELIX_REDIS: cluster.redisUrl,
      HELIX_REDIS_PREFIX: cluster.redisPrefix,
      HELIX_REDIS_TIMEOUT_MS: '30000',
      HELIX_SECRET_KEY: cluster.secretKey,
      HELIX_NODE_NAME: 'program',
      HELIX_UPSTREAM_URL: upstream.baseUrl,
      HELIX_UPSTREAM_MODEL: model,
      HELIX_LOG_FORMAT: 'json',
    },
  })
  const survivor = cluster.node(1)
  const limited = await createKeyMaker(survivor)({ limits: { tokensPerDay: 6_000 } })
  const response = await fetch(`${program.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...survivor.authorized, authorization: `Bearer ${limited.key}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  const events = liveEvents(response)
  await events.until(' upon')
  const requestId = response.headers.get('x-request-id') ?? ''
  return { ...cluster, survivor, program, events, requestId, limitedKey: limited.key }
}

/** The program seems silent until the survivor has noticed; a last heartbeat may have been on its way. */
const endedAt = async ({ logged }: Helix, age: Cluster['age']): Promise<LogEvent> => {
  const ended = logged({ event: 'node_ended', name: 'program' })
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  while (!isEnded) await age('program', 60_000)
  return ended
}

describe.skipIf(!hasCluster)('a node in a process of its own', () => {
  test('has its open requests settled by another when it is killed', async () => {
    const { survivor, program, requestId, age, outcome } = await startWithProgram()
    await program.stop('SIGKILL')
    expect(await endedAt(survivor, age)).toMatchObject({ requests: 1 })
    expect(await outcome(requestId)).toBe('server_died')
    expect((await survivor.chat({})).status).toBe(200)
  })

  test('is not waited for by nodes on an empty Redis, as after a dump was restored, and what it ran counts in full', async () => {
    const { survivor, program, join, age, limitedKey } = await startWithProgram()
    await program.stop('SIGKILL')
    await survivor.close()
    const restored = await join(2, { config: { redisPrefix: newRedisPrefix() } })
    // The database still has the lease of the program, as in a dump that was made while it ran.
    expect((await restored.chat({})).status).toBe(200)
    await age('program', 20_000)
    const ask = (tokens: number): Promise<Response> =>
      restored.chat(
        { max_completion_tokens: tokens },
        { headers: { ...restored.authorized, authorization: `Bearer ${limitedKey}` } },
      )
    // 4,096 tokens and a few of the prompt are reserved for the request of the program.
    const refused = await ask(1_900)
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect((await ask(1_700)).status).toBe(200)
    expect(await restored.logged({ event: 'limits_counted_for_node' })).toMatchObject({ requests: 1 })
  })

  test('ends its answers and goes on under another id when it was paused for too long', async () => {
    const { survivor, program, requestId, events, age, outcome } = await startWithProgram()
    program.child.kill('SIGSTOP')
    await endedAt(survivor, age)
    expect(await outcome(requestId)).toBe('server_died')
    program.child.kill('SIGCONT')
    const again = await program.logged({ event: 'node_registered_again' })
    expect(again.before).not.toBe(again.node)
    await program.logged({ event: 'node_lease_expired' })
    const last = (await events.rest()).at(-1)
    expect(JSON.parse(last?.data ?? '{}')).toMatchObject({ error: { code: 'node_lease_expired' } })
    const headers = { authorization: survivor.authorized.authorization }
    expect((await fetch(`${program.url}/v1/models`, { headers })).status).toBe(200)
    expect(await program.stop()).toBe(0)
  })
})
