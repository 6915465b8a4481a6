import { describe, expect, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import type { HelixOptions } from '../harness/start-helix.ts'

/** Nodes that answer with two words, wait, and add two more. */
const startHalfway = async (nodes: number, options: HelixOptions = {}) => {
  const more = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let runs = 0
  const cluster = await startCluster({
    ...options,
    nodes,
    *answer() {
      runs += 1
      yield* ['one ', 'two ']
      begun.resolve()
      yield { pause: more.promise }
      yield* ['three ', 'four']
    },
  })
  return { cluster, more, begun: begun.promise, runs: () => runs }
}
const whole = ['', 'one ', 'two ', 'three ', 'four', undefined, '[DONE]']

describe.skipIf(!hasCluster)('retries in a cluster', () => {
  test('of many requests with one key at three nodes one is executed and billed, and all get its answer', async () => {
    const { cluster, more, begun, runs } = await startHalfway(3)
    const sent = Array.from({ length: 12 }, (_, n) => keyedChat(cluster.node((n % 3) + 1), 'k'))
    await begun
    // Once this one is answered, those before it have arrived at the first node.
    expect((await keyedChat(cluster.node(1), 'k', { temperature: 1 })).status).toBe(409)
    more.resolve()
    const responses = await Promise.all(sent)
    const bodies = new Set(await Promise.all(responses.map((response) => response.text())))
    expect(responses.map(({ status }) => status)).toEqual(sent.map(() => 200))
    expect(bodies.size).toBe(1)
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(runs()).toBe(1)
    const rows = await ledgerRows(cluster.node(1))
    expect(rows).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
  })

  test('a stream that broke at one node goes on at another, live, and is not abandoned', async () => {
    const { cluster, more, runs } = await startHalfway(2, { config: { resumeGraceMs: 0 } })
    const first = liveEvents(await keyedChat(cluster.node(1), 'k', { stream: true }))
    const seen = [await first.next(), await first.next()]
    const lastEventId = seen[1]?.id ?? ''
    const second = await keyedChat(cluster.node(2), 'k', { stream: true }, { lastEventId })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const resumed = liveEvents(second)
    expect(await resumed.nextText()).toBe('two ')
    await first.leave()
    await cluster.node(1).logged({ status: 499 })
    more.resolve()
    expect((await resumed.rest()).map(textOf)).toEqual(whole.slice(3))
    expect(runs()).toBe(1)
    const again = liveEvents(await keyedChat(cluster.node(2), 'k', { stream: true }, { lastEventId }))
    expect((await again.rest()).map(textOf)).toEqual(whole.slice(2))
    expect(await ledgerRows(cluster.node(1))).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
  })

  test('another body is refused at every node, and an unknown event cannot be resumed', async () => {
    const { cluster, more } = await startHalfway(2)
    const first = liveEvents(await keyedChat(cluster.node(1), 'k', { stream: true }))
    await first.next()
    const reused = await keyedChat(cluster.node(2), 'k', { stream: true, temperature: 1 })
    expect(await readError(reused)).toMatchObject({ code: 'idempotency_key_reuse' })
    const unknown = { lastEventId: 'chatcmpl-unknown:0' }
    const resumed = await keyedChat(cluster.node(2), 'k', { stream: true }, unknown)
    expect(await readError(resumed)).toMatchObject({ code: 'stream_not_resumable' })
    more.resolve()
    expect((await first.rest()).map(textOf)).toEqual(whole.slice(1))
  })

  test('when the node stops, other nodes get its error, and the next request is executed', async () => {
    const { cluster, more, runs } = await startHalfway(2, { config: { shutdownGraceMs: 0 } })
    const first = liveEvents(await keyedChat(cluster.node(1), 'k', { stream: true }))
    await first.next()
    const second = liveEvents(await keyedChat(cluster.node(2), 'k', { stream: true }))
    expect([await second.nextText(), await second.nextText(), await second.nextText()]).toEqual(whole.slice(0, 3))
    await cluster.node(1).server.close()
    const rest = await second.rest()
    expect(JSON.parse(rest.at(-1)?.data ?? '')).toMatchObject({ error: { code: 'shutting_down' } })
    more.resolve()
    const third = liveEvents(await keyedChat(cluster.node(2), 'k', { stream: true }))
    expect((await third.rest()).map(textOf)).toEqual(whole)
    expect(runs()).toBe(2)
  })
})
