import { describe, expect, test } from 'vitest'
import { askApart } from '../harness/ask-apart.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { liveEvents } from '../harness/live-events.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'

/** As far as the last checkpoint of another node's request is known, which may be nothing. */
const settleAtNothing = `INSERT INTO ledger_settlements (reservation, prompt_tokens, cached_tokens, completion_tokens,
    reasoning_tokens, is_estimated, outcome, duration_ms, ended_at, day)
  SELECT sequence, 0, 0, 0, 0, 0, 'server_died', 0, created_at, 20011115 FROM ledger_reservations
  WHERE NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = sequence)`

describe.skipIf(!hasCluster)('a node with two workers whose lease has ended', () => {
  test('ends an answer that another node has settled with an error, and its limits count what is billed', async () => {
    const settled = Promise.withResolvers<void>()
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(pieceEvent('Once') + pieceEvent(' upon'))
      await settled.promise
      response.end(pieceEvent(' a time') + finishEvent() + usageEvent(5, 3) + doneEvent)
    })
    const { node, exec, outcome } = await startCluster({ nodes: 1, each: () => twoWorkers(upstream.baseUrl) })
    const helix = node(1)
    const { call } = await createKeyMaker(helix)({ limits: { tokensPerDay: 100_000 } })
    const messages = [{ role: 'user', content: 'Hi' }]
    const response = await call('POST', '/v1/chat/completions', { model: 'big', stream: true, messages })
    const events = liveEvents(response)
    await events.until(' upon')
    // As another node settles it, before this one has noticed that its lease has ended.
    await exec(settleAtNothing)
    settled.resolve()
    const last = (await events.rest()).at(-1)
    expect(JSON.parse(last?.data ?? '{}')).toMatchObject({ error: { code: 'node_lease_expired' } })
    expect(await outcome(response.headers.get('x-request-id') ?? '')).toBe('server_died')
    // Redis was told of all tokens, and reads the sum in the ledger again.
    const used = async (): Promise<number | undefined> => {
      const own = (await (await call('GET', '/v1/key')).json()) as { limit_use: { name: string; used: number }[] }
      return own.limit_use.find(({ name }) => name === 'tokens_per_day')?.used
    }
    while ((await used()) !== 0);
  })
})

describe.skipIf(!hasCluster)('two nodes with two workers each', () => {
  test('admit exactly as many of 40 requests at once as the limit allows', async () => {
    const upstream = await startUpstream((response) =>
      stream(response, pieceEvent('Tides'), finishEvent(), usageEvent(5, 1), doneEvent),
    )
    const { nodes, node } = await startCluster({
      nodes: 2,
      each: () => twoWorkers(upstream.baseUrl, { organisationRequestsPerMinute: 15, queueLimit: 100 }),
    })
    expect(nodes.map(({ server }) => server.workers?.size)).toEqual([2, 2])
    const { key } = node(1)
    const asked = nodes.flatMap((one) => Array.from({ length: 20 }, () => askApart(one, key)))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array<number>(15).fill(200), ...Array<number>(25).fill(429)])
    expect(upstream.asked).toHaveLength(15)
    // Two nodes with two threads each took more than two minutes to start on a machine with eighteen times as much work as cores.
  }, 300_000)
})
