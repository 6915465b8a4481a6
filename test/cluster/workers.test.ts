import { describe, expect, test } from 'vitest'
import { askApart } from '../harness/ask-apart.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'

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
