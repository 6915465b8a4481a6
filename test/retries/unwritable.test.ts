import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { endWaitMs } from '../../src/replay/recording.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

/** As if the disk were full: writes to this table fail, and so does the rest of their transaction. */
const refuseWrites = ({ dataDir }: Helix, table: 'ledger_settlements' | 'replays') => {
  const change = (sql: string): void => {
    const db = new DatabaseSync(join(dataDir, 'helix.db'), { timeout: 5_000 })
    db.exec(sql)
    db.close()
  }
  change(`CREATE TRIGGER no_room BEFORE INSERT ON ${table} BEGIN SELECT raise(ABORT, 'database or disk is full'); END`)
  return { allowAgain: () => change('DROP TRIGGER no_room') }
}
const start = async () => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  let runs = 0
  const helix = await startHelix({
    clock,
    *answer() {
      runs += 1
      yield* ['one ', { pause: more.promise }, 'two']
    },
  })
  const events = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  await events.next()
  return { helix, clock, more, events, runs: () => runs }
}

test.each(['ledger_settlements', 'replays'] as const)(
  'the end is sent once the settlement and the answer are durable, or after a while (%s)',
  async (table) => {
    const { helix, clock, more, events, runs } = await start()
    const { allowAgain } = refuseWrites(helix, table)
    more.resolve()
    expect([await events.nextText(), await events.nextText()]).toEqual(['one ', 'two'])
    await helix.logged({ event: 'ledger_write_failed' })
    expect(ledgerRows(helix.dataDir)).toMatchObject([{ outcome: null }])
    await clock.awaited(endWaitMs)
    clock.advance(endWaitMs)
    expect((await events.rest()).map(textOf)).toEqual([undefined, '[DONE]'])

    const meanwhile = await keyedChat(helix, 'k', { stream: true })
    expect(meanwhile.headers.get('idempotent-replayed')).toBe('true')
    expect((await liveEvents(meanwhile).rest()).map(textOf)).toEqual(['', 'one ', 'two', undefined, '[DONE]'])

    allowAgain()
    clock.advance(1_000)
    expect(await settledRows(helix.dataDir, 1)).toMatchObject([{ outcome: 'completed', completionTokens: 2 }])
    const later = await keyedChat(helix, 'k', { stream: true })
    expect(later.headers.get('idempotent-replayed')).toBe('true')
    await later.text()
    expect(runs()).toBe(1)
  },
)

test('a server stops even if its ledger cannot be written', async () => {
  const { helix, clock, more, events } = await start()
  refuseWrites(helix, 'replays')
  more.resolve()
  await helix.logged({ event: 'ledger_write_failed' })
  const closed = helix.close()
  await clock.awaited(endWaitMs)
  clock.advance(endWaitMs)
  expect((await events.rest()).map(textOf)).toEqual(['one ', 'two', undefined, '[DONE]'])
  await closed
  await helix.logged({ event: 'ledger_unsettled' })
})
