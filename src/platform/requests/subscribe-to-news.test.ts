import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createLedgerNotifier } from '../../usage/ledger-notifier.ts'
import { subscribeToNews } from './subscribe-to-news.ts'

const restMs = 250
const maxMs = 5000

const openSubscription = () => {
  const clock = createManualClock()
  const notifier = createLedgerNotifier()
  const subscription = subscribeToNews(notifier, 'org_1', clock, restMs)
  /** Says whether it was received, once it is. */
  const waitForNext = () => {
    const state = { told: null as string | null }
    const done = subscription.next(maxMs).then((woken) => {
      state.told = woken
    })
    return { state, done }
  }
  return { clock, notifier, subscription, waitForNext }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('after a silence a notification is received at once, and those that follow together after a rest', async () => {
  const { clock, notifier, waitForNext } = openSubscription()
  const first = waitForNext()
  notifier.notify('org_2')
  await turn()
  expect(first.state.told).toBeNull()
  notifier.notify('org_1')
  await first.done
  const second = waitForNext()
  for (let count = 0; count < 100; count += 1) notifier.notify('org_1')
  await turn()
  expect(second.state.told).toBeNull()
  clock.advance(restMs)
  await second.done
  expect([first.state.told, second.state.told]).toEqual(['notified', 'notified'])
})

test('a notification while nobody waits is received by the next who does', async () => {
  const { notifier, subscription } = openSubscription()
  notifier.notify('org_1')
  expect(await subscription.next(maxMs)).toBe('notified')
})

test('silence is reported too, and nothing is waited for once it is closed', async () => {
  const { clock, notifier, subscription, waitForNext } = openSubscription()
  const silent = waitForNext()
  clock.advance(maxMs)
  await silent.done
  const last = waitForNext()
  notifier.close()
  await last.done
  expect([silent.state.told, last.state.told]).toEqual(['silent', 'closed'])
  subscription.close()
  expect(await subscription.next(maxMs)).toBe('closed')
  expect(clock.pending()).toBe(0)
  expect(await subscribeToNews(notifier, 'org_1', clock, restMs).next(maxMs)).toBe('closed')
})
