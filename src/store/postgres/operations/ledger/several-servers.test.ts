import pg from 'pg'
import { expect, test } from 'vitest'
import { reservationOf, settlementOf } from '../../../../../test/harness/ledger-records.ts'
import { createManualClock } from '../../../../../test/harness/manual-clock.ts'
import { createScratchDatabase, execSql } from '../../../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../../../test/harness/postgres/started-postgres.ts'
import type { Store } from '../../../contract.ts'
import { openPostgresStore } from '../../open-postgres-store.ts'

const postgres = await startedPostgres()

const openData = async () => {
  if (postgres === null) throw new Error('there is no PostgreSQL')
  const database = await createScratchDatabase(postgres.url, postgres.template)
  const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 4 })
  return {
    ...{ store, url: database.url, organisationId: (await store.organisations.first()).id },
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A reservation of another server, by a caller that is known. */
const insertElsewhere = (requestId: string): string =>
  `INSERT INTO ledger_reservations
    (transaction_id, node, request_id, party, model, endpoint, is_stream, reserved_tokens, created_at)
  SELECT pg_current_xact_id()::text::bigint + xid_offset, 'other', '${requestId}', (SELECT min(id) FROM ledger_parties),
    'helix-v1', 'chat.completions', 0, 100, 1000 FROM ledger_epoch`

const settledOf = async (store: Store, requestId: string) => (await store.ledger.find(requestId))?.settlement?.outcome

test.skipIf(postgres === null)(
  'a request that is committed late is in the live log although its sequence is lower',
  async () => {
    await using data = await openData()
    const { store, organisationId } = data
    const [known, late, early] = [
      reservationOf(organisationId),
      reservationOf(organisationId),
      reservationOf(organisationId),
    ]
    await store.ledger.reserve([known])
    const other = new pg.Client({ connectionString: data.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query(insertElsewhere(late.requestId))
    await store.ledger.reserve([early])
    const heard: string[] = []
    let mark = { newest: 0, refused: 0, open: [] as readonly number[] }
    const hear = async (): Promise<void> => {
      const news = await store.requestLog.news(organisationId, mark, 1)
      heard.push(...news.rows.map(({ requestId }) => requestId))
      mark = news.mark
    }
    for (let looks = 0; looks < 5; looks += 1) await hear()
    // Its transaction began later than the one that still runs.
    expect(heard).not.toContain(early.requestId)
    expect(await store.ledger.find(early.requestId)).not.toBeNull()
    expect((await store.requestLog.search({ organisationId, before: null, limit: 9 })).rows).toHaveLength(2)
    await other.query('COMMIT')
    await other.end()
    for (let looks = 0; looks < 1_000 && heard.length < 3; looks += 1) await hear()
    expect(heard).toEqual([known.requestId, late.requestId, early.requestId])
  },
)

test.skipIf(postgres === null)(
  'a server that starts settles the requests that it left open, and no other server’s',
  async () => {
    await using data = await openData()
    const { store, organisationId } = data
    const [mine, theirs] = [reservationOf(organisationId), reservationOf(organisationId)]
    await store.ledger.reserve([mine])
    await execSql(data.url, insertElsewhere(theirs.requestId))
    expect(await store.ledger.recover(9_000, 20261116)).toBe(1)
    expect(await settledOf(store, mine.requestId)).toBe('server_died')
    expect(await settledOf(store, theirs.requestId)).toBeUndefined()
    expect(await store.ledger.settle([settlementOf(theirs.requestId)], [])).toBe(1)
  },
)

test.skipIf(postgres === null)(
  'of several servers that settle a request at once one does, and its tokens count once',
  async () => {
    await using data = await openData()
    const { store, organisationId } = data
    const reservations = Array.from({ length: 40 }, (_, n) => reservationOf(organisationId, { keyId: `key_${n % 3}` }))
    await Promise.all(reservations.map((reservation) => store.ledger.reserve([reservation])))
    const settlements = reservations.map(({ requestId }) => settlementOf(requestId))
    const attempts = [settlements, settlements.toReversed(), settlements, settlements.toReversed()]
    const counts = await Promise.all(attempts.map((attempt) => store.ledger.settle(attempt, [])))
    expect(counts.reduce((sum, count) => sum + count)).toBe(40)
    const all = { organisationId: null, keyId: null, fromDay: 0, toDay: 99991231 }
    expect(await store.usage.tokens(all)).toBe(40 * 30)
    expect(await store.usage.verify()).toMatchObject({ checkedRequests: 40, differences: [] })
  },
)

test.skipIf(postgres === null)(
  'a ledger restored in another cluster, where transaction ids are lower, goes on',
  async () => {
    await using data = await openData()
    const { organisationId } = data
    const [before, after] = [reservationOf(organisationId), reservationOf(organisationId)]
    await data.store.ledger.reserve([before])
    await data.store.close()
    await execSql(
      data.url,
      'ALTER TABLE ledger_reservations DISABLE TRIGGER ledger_reservations_stay',
      'UPDATE ledger_reservations SET transaction_id = transaction_id + 1000000',
      'ALTER TABLE ledger_reservations ENABLE TRIGGER ledger_reservations_stay',
    )
    const store = await openPostgresStore({ url: data.url, clock: createManualClock(), poolSize: 2 })
    try {
      await store.ledger.reserve([after])
      const rows = await store.ledger.list({ organisationId, before: null, limit: 9 })
      expect(rows.map(({ requestId }) => requestId)).toEqual([after.requestId, before.requestId])
      expect(await store.ledger.recover(9_000, 20261116)).toBe(2)
    } finally {
      await store.close()
    }
  },
)
