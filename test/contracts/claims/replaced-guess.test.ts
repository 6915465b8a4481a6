import { describe, expect, test } from 'vitest'
import { hashIdempotencyKey } from '../../../src/replay/idempotency-key.ts'
import { openReplays } from '../../../src/replay/replays.ts'
import type { SharedEvents } from '../../../src/replay/shared/shared-events.ts'
import { replaySpool } from '../../../src/usage/spool/replay-spool.ts'
import { spoolLine } from '../../../src/usage/spool/spool-record.ts'
import { replayOf, reservationOf, settlementOf } from '../../harness/ledger-records.ts'
import { createLogCatcher } from '../../harness/log-catcher.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { lockTable } from '../../harness/postgres/lock-table.ts'
import { openSharedStores, type SharedStore } from '../../harness/postgres/open-shared-stores.ts'
import { startedPostgres } from '../../harness/postgres/started-postgres.ts'

const postgres = await startedPostgres()

const idempotencyKey = 'order 1'
const hourMs = 3_600_000

const fail = async (): Promise<never> => {
  throw new Error('Redis is away')
}
/** Whether a request was executed only the store knows. */
const away: SharedEvents = { append: fail, read: fail, onMore: () => () => {}, attend: fail, attendedMs: fail }

const nodeOf = (id: string) => ({
  id,
  name: id,
  address: '',
  version: '1.2.3',
  status: '{}',
  certificate: '',
  engine: null,
})
const claimsOf = ({ claims }: SharedStore) => {
  if (claims === null) throw new Error('it is shared')
  return claims
}

/** A node has died with a complete answer in its spool, and the other has settled its request at the last checkpoint. */
const openDeadNode = async ({ isClaimed }: { isClaimed: boolean }) => {
  const shared = await openSharedStores(postgres, 2)
  const [dead, other] = shared.stores
  if (dead === undefined || other === undefined) throw new Error('two were opened')
  await dead.nodes.register(nodeOf('node_1'))
  await other.nodes.register(nodeOf('node_2'))
  const { id: organisationId } = await dead.organisations.first()
  const reservation = reservationOf(organisationId)
  const { requestId } = reservation
  const name = { organisationId, keyHash: hashIdempotencyKey(idempotencyKey) }
  const clock = createManualClock()
  const lifetime = { createdAt: clock.now(), expiresAt: clock.now() + hourMs }
  const replay = replayOf(reservation, { ...name, ...lifetime })
  await claimsOf(dead).claim(name, replay)
  await dead.ledger.reserve([{ ...reservation, isClaimed: true }])
  await shared.age('node_1', hourMs)
  await other.nodes.endSilent(30_000)
  await shared.age('node_1', hourMs)
  await other.nodes.settle('node_1', 1_000, 20261115)
  if (!isClaimed) await claimsOf(dead).release(name, requestId)
  const { log } = createLogCatcher({ clock, format: 'json' })
  const line = spoolLine({ kind: 'settlement', settlement: settlementOf(requestId), replay })
  const replays = await openReplays({
    ...{ records: other.replays, clock, log, resumeGraceMs: 0 },
    ...{ replayAnswerLimitBytes: 100_000, replayMemoryLimitBytes: 1_000_000, replayDiskLimitBytes: 1_000_000 },
    ...{ replayRetentionHours: () => 24, abandoned: () => new Error('abandoned') },
    shared: { claims: claimsOf(other), events: away },
  })
  return {
    ...{ url: shared.url, claims: claimsOf(other), name, replay, replays },
    replace: () => dead.ledger.replaceGuess(settlementOf(requestId), replay),
    restart: () => replaySpool([line], { records: dead.ledger, clock, today: () => 20261115, log }),
    outcome: async () => (await other.ledger.find(requestId))?.settlement?.outcome,
    /** The client sends the request again, to the other node. Resolves to whether it was executed again. */
    async sendAgain(): Promise<boolean> {
      const { bodyHash } = replay
      let isExecuted = false
      const subscription = await replays.open({
        ...{
          organisationId,
          keyId: 'key_1',
          idempotencyKey,
          bodyHash,
          stream: true,
          lastEventId: null,
          maxBytes: 1_000,
        },
        ...{ requestId: 'req_again', completionId: 'chatcmpl-again' },
        async execute() {
          isExecuted = true
          throw new Error('the upstream is away')
        },
      })
      subscription.close()
      return isExecuted
    },
    async [Symbol.asyncDispose]() {
      await replays.close()
      await shared[Symbol.asyncDispose]()
    },
  }
}

describe.skipIf(postgres === null)('The guess of another node for a request with an idempotency key', () => {
  for (const isClaimed of [true, false]) {
    const claim = isClaimed ? 'claim stands' : 'claim is gone'

    test(`is replaced, and the answer found by the next request with the key, if its ${claim}`, async () => {
      await using node = await openDeadNode({ isClaimed })
      await node.restart()
      expect(await node.sendAgain()).toBe(false)
      expect(await node.outcome()).toBe('completed')
      expect(await node.claims.own()).toEqual([])
    })

    test(`is replaced while a request with the key arrives, which waits for the answer, if its ${claim}`, async () => {
      await using node = await openDeadNode({ isClaimed })
      // After it was looked for other claims, and before the answer is stored.
      await using lock = await lockTable(node.url, 'usage_days')
      const replaced = node.replace()
      await lock.waitedFor('usage_days')
      const again = node.sendAgain()
      await Promise.race([again, lock.waitedFor('replay_claims')])
      await lock.release()
      expect(await replaced).not.toBeNull()
      expect(await again).toBe(false)
      expect(await node.outcome()).toBe('completed')
    })
  }

  test('stays if another request has the key, even one that claimed it a moment ago', async () => {
    await using node = await openDeadNode({ isClaimed: false })
    await using lock = await lockTable(node.url, 'replay_claims')
    const replaced = node.replace()
    // It has begun, and sees the claims of that moment.
    await lock.waitedFor('replay_claims')
    const { organisationId, keyHash } = node.name
    await lock.exec(`INSERT INTO replay_claims (organisation_id, key_hash, node, request_id, completion_id, body_hash, is_stream)
      VALUES ('${organisationId}', '\\x${Buffer.from(keyHash).toString('hex')}', 'node_2', 'req_again', 'chatcmpl-again', '\\x09', 1)`)
    await lock.release()
    expect(await replaced).toBeNull()
    expect(await node.outcome()).toBe('server_died')
    expect(await node.claims.find(node.name)).toMatchObject({ requestId: 'req_again', isHeld: true })
  })
})
