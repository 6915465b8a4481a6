import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createLedgerBell } from '../../usage/ledger-bell.ts'
import { listenForNews } from './listen-for-news.ts'

const restMs = 250
const mostMs = 5000

const openEar = () => {
  const clock = createManualClock()
  const bell = createLedgerBell()
  const ear = listenForNews(bell, 'org_1', clock, restMs)
  /** Says whether it was heard, once it is. */
  const listen = () => {
    const state = { told: null as boolean | null }
    const done = ear.heard(mostMs).then((isMore) => {
      state.told = isMore
    })
    return { state, done }
  }
  return { clock, bell, ear, listen }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('after a silence a ring is heard at once, and those that follow together after a rest', async () => {
  const { clock, bell, listen } = openEar()
  const first = listen()
  bell.ring('org_2')
  await turn()
  expect(first.state.told).toBeNull()
  bell.ring('org_1')
  await first.done
  const second = listen()
  for (let count = 0; count < 100; count += 1) bell.ring('org_1')
  await turn()
  expect(second.state.told).toBeNull()
  clock.advance(restMs)
  await second.done
  expect([first.state.told, second.state.told]).toEqual([true, true])
})

test('what rings while nobody waits is heard by the next who does', async () => {
  const { bell, ear } = openEar()
  bell.ring('org_1')
  expect(await ear.heard(mostMs)).toBe(true)
})

test('silence is told too, and waits for nothing more when it is over', async () => {
  const { clock, bell, ear, listen } = openEar()
  const silent = listen()
  clock.advance(mostMs)
  await silent.done
  const last = listen()
  bell.close()
  await last.done
  expect([silent.state.told, last.state.told]).toEqual([true, false])
  ear.close()
  expect(await ear.heard(mostMs)).toBe(false)
  expect(clock.pending()).toBe(0)
  expect(await listenForNews(bell, 'org_1', clock, restMs).heard(mostMs)).toBe(false)
})
