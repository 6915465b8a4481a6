import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { Settlement } from '../store/ledger-contract.ts'
import type { UpstreamUse } from '../store/upstream-contract.ts'
import { openUpstreamUse } from './upstream-use.ts'

const hourMs = 3_600_000

const open = () => {
  const clock = createManualClock()
  const written: UpstreamUse[][] = []
  const pruned: number[] = []
  const state = { isAway: false }
  const warned: string[] = []
  const writer = openUpstreamUse({
    records: {
      async add(uses) {
        if (state.isAway) throw new Error('away')
        written.push(uses.map((use) => ({ ...use })))
      },
      list: async () => [],
      async prune(beforeHour) {
        pruned.push(beforeHour)
        return 0
      },
    },
    clock,
    log: { info: () => {}, warn: (event) => warned.push(event), error: () => {} },
  })
  const settled = (route: Settlement['route'], rest: Partial<Settlement> = {}): Settlement => ({
    ...{ requestId: 'r', promptTokens: 7, cachedTokens: 0, completionTokens: 21, reasoningTokens: 0, costMicros: 5 },
    ...{ outcome: 'completed', finishReason: 'stop', error: null, queueMs: 20, firstTokenMs: 120, durationMs: 1120 },
    ...{ endedAt: clock.now(), day: 20011115, ...(route === undefined ? {} : { route }) },
    ...rest,
  })
  return { clock, writer, written, pruned, state, warned, settled }
}
const timing = { firstTokenMs: 100, answerMs: 1000 }
const answered = (...upstreams: string[]) => ({ upstreams, attempts: 1, isContinued: false, timing })

test('requests are added up and written together, with the times of the upstream alone', async () => {
  const { clock, writer, written, pruned, settled } = open()
  writer.add('small', settled(answered('a')))
  // Hooks took longer.
  writer.add('small', settled(answered('a'), { outcome: 'client_closed', costMicros: null, firstTokenMs: 9000 }))
  writer.add('small', settled(undefined))
  await writer.close()
  const hour = Math.floor(clock.now() / hourMs)
  const sums = { requests: 2, errors: 0, firstTokens: 2, firstTokenMs: 200, timedTokens: 20, timedMs: 1000 }
  const counts = { promptTokens: 14, completionTokens: 42, costMicros: 5 }
  expect(written).toEqual([[{ hour, upstream: 'a', model: 'small', ...sums, ...counts }]])
  expect(pruned).toEqual([hour - 744])
})

test('an answer that came whole has no first token and no speed, and tokens that came together have no speed', async () => {
  const { writer, written, settled } = open()
  const whole = { upstreams: ['a'], attempts: 1, isContinued: false }
  writer.add('small', settled(whole, { firstTokenMs: 1119, durationMs: 1120 }))
  // Something after the answer may take its time too, such as a hook.
  writer.add('small', settled(whole, { firstTokenMs: 620, durationMs: 1120 }))
  writer.add('small', settled({ ...answered('a'), timing: { firstTokenMs: 1060, answerMs: 190 } }))
  await writer.close()
  expect(written.flat()).toMatchObject([
    { requests: 3, completionTokens: 63, firstTokens: 1, firstTokenMs: 1060, timedTokens: 0, timedMs: 0 },
  ])
})

test('an upstream that failed before or during an answer has the error, the last has the tokens, and none the time', async () => {
  const { writer, written, settled } = open()
  writer.add('small', settled({ upstreams: ['b'], attempts: 2, failed: ['a'], isContinued: false, timing }))
  writer.add('small', settled({ ...answered('a', 'b'), attempts: 2, failed: ['a'], isContinued: true }))
  writer.add('small', settled({ upstreams: [], attempts: 1, failed: ['a'], isContinued: false }, { outcome: 'failed' }))
  await writer.close()
  expect(written.flat()).toMatchObject([
    { upstream: 'b', requests: 2, errors: 0, completionTokens: 42, firstTokens: 0, timedMs: 0 },
    { upstream: 'a', requests: 3, errors: 3, completionTokens: 0 },
  ])
})

test('what could not be written is written later, added to what came meanwhile', async () => {
  const { clock, writer, written, warned, state, settled } = open()
  state.isAway = true
  writer.add('small', settled(answered('a')))
  clock.advance(9_700)
  await clock.awaited(9_700)
  writer.add('small', settled(answered('a')))
  state.isAway = false
  await writer.close()
  expect(written.flat()).toMatchObject([{ upstream: 'a', requests: 2, completionTokens: 42, costMicros: 10 }])
  expect(warned).toEqual(['upstream_use_not_written'])
})
