import { setImmediate } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { expect, onTestFinished, test } from 'vitest'
import { type Caller, callerWith, noLimits } from '../../../test/harness/open-limiter.ts'
import { openLimiterNodes } from '../../../test/harness/redis/open-limiter-nodes.ts'
import { type RedisServer, startRedis } from '../../../test/harness/redis/start-redis.ts'
import { startedRedis } from '../../../test/harness/redis/started-redis.ts'
import { ApiError } from '../../base/api-error.ts'

const { program = null } = (await startedRedis()) ?? {}

const callTo = async ({ url }: RedisServer) => {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.destroy())
  return (...command: string[]) => client.sendCommand(command)
}

const offsetOf = (info: unknown): string => /master_repl_offset:(\d+)/.exec(String(info))?.[1] ?? ''

/** A primary with a replica, which can take over its address with what it has at that moment. */
const startWithReplica = async () => {
  const primary = await startRedis(program ?? '', { settings: ['--repl-diskless-sync-delay', '0'] })
  const replica = await startRedis(program ?? '')
  onTestFinished(() => replica.close())
  onTestFinished(() => primary.close())
  const [ofPrimary, ofReplica] = [await callTo(primary), await callTo(replica)]
  const { port } = new URL(primary.url)
  await ofReplica('REPLICAOF', '127.0.0.1', port)
  const isUp = async (): Promise<boolean> => String(await ofReplica('INFO', 'replication')).includes('link_status:up')
  while (!(await isUp())) await setImmediate()
  return {
    url: primary.url,
    /** The replica has all of it, and gets nothing more. */
    async stopReplication() {
      const offset = offsetOf(await ofPrimary('INFO', 'replication'))
      while (Number(offsetOf(await ofReplica('INFO', 'replication'))) < Number(offset)) await setImmediate()
      await ofReplica('REPLICAOF', 'NO', 'ONE')
    },
    async failOver() {
      await primary.close()
      await ofReplica('CONFIG', 'SET', 'port', port)
    },
  }
}

test.skipIf(program === null)('a replica with older data takes over: no limit and no budget is exceeded', async () => {
  const redis = await startWithReplica()
  await using nodes = await openLimiterNodes(redis.url, { nodes: 2 })
  const { it } = nodes
  const rates = callerWith({ requestsPerMinute: 20, requestsInFlight: 12 })
  const budget = { organisationId: 'org_2', key: { id: 'key_2', limits: { ...noLimits, tokensPerDay: 100 } } }
  const admit = async (caller: Caller, count: number) => {
    const all = await Promise.all(
      Array.from({ length: count }, () =>
        it.begin(caller, 5).catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error
          return null
        }),
      ),
    )
    return all.filter((one) => one !== null)
  }
  const early = [...(await admit(rates, 4)), ...(await admit(budget, 4))]
  for (const one of early) one.end(5)
  const usedOf = async (caller: Caller, used: number): Promise<void> => {
    const name = caller === rates ? 'requestsInFlight' : 'tokensPerDay'
    while ((await it.usageSnapshots(caller))[0]?.uses[name]?.used !== used) await setImmediate()
  }
  await usedOf(rates, 0)
  await usedOf(budget, 20)
  await redis.stopReplication()

  // The replica does not have these.
  const running = await admit(rates, 8)
  const settled = await admit(budget, 12)
  for (const one of settled) one.end(5)
  await usedOf(budget, 80)
  const returned = Promise.all(
    nodes.connections.map((one) => new Promise<void>((resolve) => void one.redis.onReturned(resolve))),
  )
  await redis.failOver()
  await returned

  const later = await nodes.passingTime(Promise.all([admit(rates, 30), admit(budget, 10)]))
  // 8 of 12 run; 12 of 20 requests of this minute were admitted.
  expect(later[0].length).toBeLessThanOrEqual(4)
  expect(later[1].length).toBeLessThanOrEqual(4)
  for (const one of [...running, ...later.flat()]) one.end(5)
  await usedOf(rates, 0)
  await usedOf(budget, 80 + 5 * later[1].length)
  // A minute later all is as before.
  it.clock.advance(60_000)
  expect(await admit(rates, 30)).toHaveLength(12)
  expect(await admit(budget, 10)).toHaveLength(4 - later[1].length)
  expect(
    nodes.connections.flatMap(({ log }) => log.lines.filter((line) => line.includes('limits_restored'))),
  ).toHaveLength(2)
})
