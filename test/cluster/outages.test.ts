import { describe, expect, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { lockTable } from '../harness/postgres/lock-table.ts'
import { openRelay } from '../harness/postgres/open-relay.ts'
import { readError } from '../harness/read-error.ts'

const leaseTimes = { beatMs: 50, leaseMs: 30_000, jitter: 0 }
describe.skipIf(!hasCluster)('a node that loses PostgreSQL', () => {
  test('refuses a request with an idempotency key that it could not reserve, and another node executes it once', async () => {
    const cluster = await startCluster({ nodes: 1, leaseTimes })
    const other = cluster.node(1)
    const relay = await openRelay(cluster.databaseUrl)
    const node = await cluster.join(2, { config: { store: relay.url } })
    const { authorized } = other
    while ((await node.chat({}, { headers: authorized })).status === 503);
    const lock = await lockTable(cluster.databaseUrl, 'ledger_reservations')
    // The key is claimed, and the reservation waits.
    const asked = keyedChat({ chat: node.chat, authorized }, 'once')
    await lock.waitedFor('INSERT INTO ledger_reservations')
    await relay.cut()
    const refused = await asked
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await readError(refused)).toMatchObject({ code: 'ledger_unavailable' })
    await lock.release()
    await relay.mend()
    // The claim is released once the node can say so. Until then its refusal is the answer.
    let retried = await keyedChat(other, 'once')
    while (retried.status === 503) retried = await keyedChat(other, 'once')
    expect(retried.headers.get('idempotent-replayed')).toBeNull()
    const again = await keyedChat({ chat: node.chat, authorized }, 'once')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const rows = await ledgerRows({ dataDir: '', storeUrl: cluster.databaseUrl })
    const outcomeOf = (response: Response) =>
      rows.find(({ requestId }) => requestId === response.headers.get('x-request-id'))?.outcome
    expect(outcomeOf(retried)).toBe('completed')
    expect(outcomeOf(refused)).not.toBe('completed')
  })
})
