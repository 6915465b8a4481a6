import { beforeAll, expect, test } from 'vitest'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { askApart } from '../harness/ask-apart.ts'
import { liveEvents } from '../harness/live-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  startUpstream,
  stream,
  type Upstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'
import { withoutPassingOn } from '../harness/without-passing-on.ts'

const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]

let upstream: Upstream
let helix: Helix

/** The model `wide` has room for all choices, `narrow` for two and `single` for one. */
beforeAll(async () => {
  upstream = await startUpstream((response) => stream(response, ...parts))
  const widths = { wide: 100, narrow: 2, single: 1 }
  const upstreams = Object.entries(widths).map(([name, maxInFlight]) =>
    readUpstream({ name, url: upstream.baseUrl, models: [{ name }], maxInFlight }, name),
  )
  helix = await openHelix(twoWorkers(upstream.baseUrl, { upstreams }))
  return helix.close
})

type Completion = { choices: { index: number; message: { content: string } }[] }

/** Each on a connection of its own, so that both workers get some. */
const askAll = (body: object, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { status, text } = await askApart(helix, helix.key, body)
      expect(status).toBe(200)
      return text
    }),
  )

test.each(['wide', 'narrow', 'single'])('workers generate all choices with the slots of %s', async (model) => {
  await withoutPassingOn(helix, async () => {
    const asked = upstream.asked.length
    for (const text of await askAll({ model, n: 5 }, 6)) {
      const { choices } = JSON.parse(text) as Completion
      expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
      for (const { message } of choices) expect(message.content).toBe('Tides rise')
    }
    expect(upstream.asked).toHaveLength(asked + 30)
    for (const text of await askAll({ model, n: 3, stream: true }, 2))
      for (const index of [0, 1, 2]) expect(text).toContain(`"index":${index},"delta":{"content":" rise"`)
  })
})

test('a client that leaves frees the slots of all choices', async () => {
  for (const model of ['narrow', 'single']) {
    const response = await helix.chat({ model, n: 4, stream: true })
    const events = liveEvents(response)
    await events.next()
    await events.leave()
  }
  // These need all of them.
  await askAll({ model: 'narrow', n: 2 }, 4)
  await askAll({ model: 'single', n: 2 }, 4)
})

test('the ledger has each request once, with the tokens of all its choices', async () => {
  const settled = (await readLedger(helix)).map(({ model, settlement }) =>
    [model, settlement?.outcome, settlement?.promptTokens, settlement?.completionTokens].join(' '),
  )
  for (const model of ['wide', 'narrow', 'single']) {
    expect(settled.filter((line) => line === `${model} completed 5 10`)).toHaveLength(6)
    expect(settled.filter((line) => line === `${model} completed 5 6`)).toHaveLength(2)
  }
})
