import { describe, expect, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { pieceEvent, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName } from '../harness/start-helix.ts'
import { startProgram } from '../harness/start-program.ts'

/** So that the survivor judges soon; silence is simulated in the database. */
const leaseTimes = { beatMs: 50, leaseMs: 30_000, jitter: 0 }
const hourMs = 3_600_000
const body = { stream: true, messages: [{ role: 'user', content: 'Hi' }] }

describe.skipIf(!hasCluster)('when a node is killed', () => {
  test('another sends what there is of its answer and an error, and then executes the next request', async () => {
    const cluster = await startCluster({ nodes: 1, leaseTimes })
    const survivor = cluster.node(1)
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
        HELIX_UPSTREAM_MODEL: modelName,
      },
    })
    const ask = (): Promise<Response> =>
      fetch(`${program.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...survivor.authorized, 'content-type': 'application/json', 'idempotency-key': 'k' },
        body: JSON.stringify({ model: modelName, ...body }),
      })
    const first = await ask()
    const requestId = first.headers.get('x-request-id') ?? ''
    const events = liveEvents(first)
    const seen = [await events.next(), await events.next()]
    expect(seen.map((event) => event && textOf(event))).toEqual(['', 'Once'])
    const lastEventId = seen[1]?.id ?? ''

    const second = liveEvents(await keyedChat(survivor, 'k', body, { lastEventId }))
    expect(await second.nextText()).toBe(' upon')
    await program.stop('SIGKILL')
    const ended = survivor.logged({ event: 'node_ended', name: 'program' })
    let isEnded = false
    void ended.then(() => {
      isEnded = true
    })
    while (!isEnded) await cluster.age('program', hourMs)
    expect(await cluster.outcome(requestId)).toBe('server_died')
    await cluster.exec(`UPDATE nodes SET ended_at = ended_at - ${hourMs} WHERE name = 'program'`)
    const rest = await second.rest()
    expect(rest.map(({ data }) => JSON.parse(data))).toMatchObject([{ error: { code: 'node_lease_expired' } }])

    const unresumable = await keyedChat(survivor, 'k', body, { lastEventId })
    expect(await readError(unresumable)).toMatchObject({ code: 'stream_not_resumable' })
    const third = await keyedChat(survivor, 'k', body)
    expect(third.headers.get('idempotent-replayed')).toBeNull()
    expect((await liveEvents(third).rest()).map(textOf).join('')).toBe('Hello, world![DONE]')
    const fourth = await keyedChat(survivor, 'k', body)
    expect(fourth.headers.get('idempotent-replayed')).toBe('true')
    expect((await liveEvents(fourth).rest()).map(textOf).join('')).toBe('Hello, world![DONE]')
  })
})
