import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { callerWith } from '../../../test/harness/open-limiter.ts'
import { openLimiterNodes } from '../../../test/harness/redis/open-limiter-nodes.ts'
import { startRedis } from '../../../test/harness/redis/start-redis.ts'
import { startedRedis } from '../../../test/harness/redis/started-redis.ts'
import { redisScript } from '../../redis/redis-script.ts'

const program = (await startedRedis())?.program ?? null
const flush = redisScript(`return redis.call('FLUSHALL')`)

const openRequest = (sequence: number, tokens: number) => ({
  ...{ sequence, requestId: `req_${sequence}`, organisationId: 'org_1', keyId: 'key_1', tokens, costMicros: 0 },
})

/** Three nodes with a request of 30 tokens each. One dies, and Redis loses its data. */
const startWithLoss = async (caller: ReturnType<typeof callerWith>) => {
  const server = await startRedis(program ?? '')
  const nodes = await openLimiterNodes(server.url, { nodes: 3 })
  const begun = [await nodes.it.begin(caller, 30), await nodes.it.begin(caller, 30), await nodes.it.begin(caller, 30)]
  // The third request was the one of the first node.
  const dead = await nodes.abandon(0, [openRequest(1, 30)])
  await nodes.connections[0]?.redis.run(flush, ['any'], [])
  const logged = (event: string) =>
    nodes.connections.flatMap(({ log }) => log.lines.filter((line) => line.includes(`"${event}"`)))
  return {
    ...{ ...nodes, begun, dead, logged },
    async [Symbol.asyncDispose]() {
      await nodes[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

describe.skipIf(program === null)('a Redis that loses its data while a node is dead', () => {
  const limits = { tokensPerDay: 100, tokensPerMinute: 1_000, requestsInFlight: 4, requestsPerMinute: 20 }
  const refusal = async (request: Promise<unknown>) =>
    request.then(
      () => 'admitted',
      (error: { errorName: string }) => error.errorName,
    )

  test('delays no request without limits, and others until the heartbeat of the dead node is overdue', async () => {
    const caller = callerWith(limits)
    await using nodes = await startWithLoss(caller)
    const { it, dead, logged } = nodes
    const unlimited = { organisationId: 'org_2', key: null }
    // The clock stands still: nothing of this waits.
    for (let count = 0; count < 4; count += 1) (await it.begin(unlimited, 10)).end(10)
    expect(await refusal(nodes.passingTime(it.begin(caller, 5)))).toBe('limits_unavailable')
    expect(logged('limits_awaiting_nodes')[0]).toContain(dead)
    nodes.silence(dead)
    expect(await refusal(nodes.passingTime(it.begin(caller, 5)))).toBe('admitted')
    expect(logged('limits_counted_for_node')).toHaveLength(1)
    const isComplete = async () => {
      while (logged('limits_complete').length === 0) await setImmediate()
    }
    await nodes.passingTime(isComplete())
  })

  test('counts in full what the ledger has open for it, until that is settled', async () => {
    const caller = callerWith(limits)
    await using nodes = await startWithLoss(caller)
    const { it, begun, dead } = nodes
    nodes.silence(dead)
    expect(await refusal(nodes.passingTime(it.begin(caller, 11)))).toBe('rate_limit_tokens')
    const last = await it.begin(caller, 10)
    expect(await refusal(it.begin(caller, 1))).toBe('rate_limit_in_flight')
    // The ledger settles it at its last checkpoint.
    begun[2]?.end(3)
    await nodes.limiters[0]?.releaseNode(dead)
    for (const one of [begun[0], begun[1], last]) one?.end(20)
    const [snapshot] = await it.usageSnapshots(caller)
    expect(snapshot?.uses).toMatchObject({ requestsInFlight: { used: 0 }, tokensPerDay: { used: 63 } })
  })

  test('takes the word of a node that registers after all', async () => {
    const caller = callerWith({ tokensPerDay: 100 })
    const server = await startRedis(program ?? '')
    await using nodes = await openLimiterNodes(server.url, { nodes: 2 })
    const { it } = nodes
    await it.begin(caller, 30)
    const extended = await it.begin(caller, 30)
    expect(await extended.extend(20)).toBe(20)
    // Its heartbeat is late, and it has reserved more than the ledger knows.
    nodes.silence('node_0')
    nodes.leaveOpen('node_0', [openRequest(1, 30)])
    await nodes.connections[1]?.redis.run(flush, ['any'], [])
    await nodes.passingTime(Promise.all([it.usageSnapshots(caller), it.usageSnapshots(caller)]))
    expect(await refusal(nodes.passingTime(it.begin(caller, 21)))).toBe('rate_limit_tokens')
    expect(await refusal(nodes.passingTime(it.begin(caller, 20)))).toBe('admitted')
    await server.close()
  })
})
