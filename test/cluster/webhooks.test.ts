import { describe, expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'

/** So that the survivors judge soon; silence is simulated in the database. */
const leaseTimes = { beatMs: 50, leaseMs: 30_000, jitter: 0 }

describe.skipIf(!hasCluster)('several nodes', () => {
  test('that notice together that another is gone create one event, which one of them delivers', async () => {
    const cluster = await startCluster({ nodes: 2, leaseTimes, config: { webhookNetworks: ['127.0.0.0/8'] } })
    const owner = await claimServer(cluster.node(1))
    const receiver = await startReceiver()
    const body = { url: receiver.url, events: ['node.lost'] }
    const { endpoint } = (await (await owner.post('/admin/webhooks', body)).json()) as { endpoint: { id: string } }
    // A node whose process is gone.
    await cluster.exec(`INSERT INTO nodes (id, name, address, version, started_at, seen_at, status, certificate)
      VALUES ('node_gone', 'gone', '', '1', 0, 0, '{}', '')`)
    const both = cluster.nodes.map(({ logged }) => logged({ event: 'node_ended', name: 'gone' }))
    const hook = await receiver.hook()
    expect(JSON.parse(hook.body)).toMatchObject({ type: 'node.lost', data: { node_id: 'node_gone', node: 'gone' } })
    // Each looks again with every heartbeat, until the node is removed.
    await cluster.exec(`UPDATE nodes SET ended_at = 1 WHERE id = 'node_gone'`)
    await Promise.race(both)
    const { data } = (await (await owner.get(`/admin/webhooks/${endpoint.id}/deliveries`)).json()) as {
      data: { eventId: string }[]
    }
    expect(data.map(({ eventId }) => eventId)).toEqual([hook.headers['webhook-id']])
    expect(receiver.hooks).toHaveLength(1)
  })
})
