import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reservationOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import type { Ending } from './ledger-contract.ts'
import { openLedger } from './open-ledger.ts'

const completed: Ending = {
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 1,
  firstTokenMs: 2,
  durationMs: 3,
}

test('after an outage the settlement of a request follows its reservation at once, before the next reservations', async () => {
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  const store = { isAway: true, written: [] as string[] }
  const write = (kind: string, ids: readonly { requestId: string }[]): void => {
    if (store.isAway) throw new StoreUnavailable('away')
    store.written.push(...ids.map(({ requestId }) => `${kind} ${requestId}`))
  }
  const ledger = await openLedger({
    records: {
      reserve: async (reservations) => write('reserved', reservations),
      checkpoint: async () => {},
      async settle(settlements) {
        write('settled', settlements)
        return settlements.length
      },
      recover: async () => 0,
      find: async () => null,
      replaceGuess: async () => null,
    },
    ...{ clock, log, timeZone: 'UTC' },
    outage: { spoolPath: join(await tempDir(), 'spool.jsonl'), maxMs: 60_000 },
  })
  // The first may have reached the database before its connection broke, so it is looked up and written by itself.
  const [first, second] = [reservationOf('org_1'), reservationOf('org_1')]
  const endings = []
  for (const reservation of [first, second]) {
    const settling = (await ledger.reserve(reservation)).settle(completed)
    await settling.attempted
    endings.push(settling.durable)
  }
  store.isAway = false
  clock.advance(1_000)
  await Promise.all(endings)
  const expected = [first, second].flatMap(({ requestId }) => [`reserved ${requestId}`, `settled ${requestId}`])
  expect(store.written).toEqual(expected)
  await ledger.close()
})
