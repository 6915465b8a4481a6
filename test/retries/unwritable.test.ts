import { expect, test } from 'vitest'
import { endWaitMs } from '../../src/replay/recording.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { refuseRows } from '../harness/refuse-rows.ts'
import { startHelix } from '../harness/start-helix.ts'

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
    const { allowAgain } = await refuseRows(helix, table)
    more.resolve()
    expect([await events.nextText(), await events.nextText()]).toEqual(['one ', 'two'])
    await helix.logged({ event: 'ledger_write_failed' })
    expect(await ledgerRows(helix)).toMatchObject([{ outcome: null }])
    await clock.awaited(endWaitMs)
    clock.advance(endWaitMs)
    expect((await events.rest()).map(textOf)).toEqual([undefined, '[DONE]'])

    const meanwhile = await keyedChat(helix, 'k', { stream: true })
    expect(meanwhile.headers.get('idempotent-replayed')).toBe('true')
    expect((await liveEvents(meanwhile).rest()).map(textOf)).toEqual(['', 'one ', 'two', undefined, '[DONE]'])

    await allowAgain()
    clock.advance(1_000)
    expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'completed', completionTokens: 2 }])
    const later = await keyedChat(helix, 'k', { stream: true })
    expect(later.headers.get('idempotent-replayed')).toBe('true')
    await later.text()
    expect(runs()).toBe(1)
  },
)

test('a server stops even if its ledger cannot be written', async () => {
  const { helix, clock, more, events } = await start()
  await refuseRows(helix, 'replays')
  more.resolve()
  await helix.logged({ event: 'ledger_write_failed' })
  const closed = helix.close()
  await clock.awaited(endWaitMs)
  clock.advance(endWaitMs)
  expect((await events.rest()).map(textOf)).toEqual(['one ', 'two', undefined, '[DONE]'])
  await closed
  await helix.logged({ event: 'ledger_unsettled' })
})
