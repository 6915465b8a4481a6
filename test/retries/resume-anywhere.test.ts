import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { cutBytes } from '../harness/cut-bytes.ts'
import { gridRuns } from '../harness/grid.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { textOf } from '../harness/live-events.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const answer = 'Ein Stück „Text“ – 日本語の文章 🎉🇪🇺, e\u0301, and\nsome more of it: "quoted" \\ back.'
/** By question: the tokens, and how many turns of the event loop each takes. */
const scripts = new Map<string, { tokens: Uint8Array[]; turns: number }>()

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    async *answer(messages) {
      const { tokens, turns } = scripts.get(messages[0]?.content ?? '') ?? { tokens: [], turns: 0 }
      for (const token of tokens) {
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        yield token
      }
    },
  })
  return helix.close
})

/** The complete events among the first bytes of an answer; then it disconnects. */
const readUpTo = async (response: Response, maxBytes: number): Promise<EventSourceMessage[]> => {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void events.push(event) })
  const decoder = new TextDecoder()
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  for (let left = maxBytes; left > 0; ) {
    const { done, value } = await reader.read()
    if (done) break
    parser.feed(decoder.decode(value.subarray(0, left), { stream: true }))
    left -= value.length
  }
  await reader.cancel()
  return events
}

test('however often and wherever a stream breaks, its joined parts are the answer: nothing is missing or repeated', async () => {
  const rows = (await ledgerRows(helix)).length
  let runs = 0
  let live = 0
  const anyBreaks = fc.record({
    places: fc.array(fc.nat(200), { maxLength: 30 }),
    turns: fc.nat(60),
    cuts: fc.array(fc.nat(2500), { minLength: 1, maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(anyBreaks, async ({ places, turns, cuts }) => {
      runs += 1
      const key = `run ${runs}`
      scripts.set(key, { tokens: cutBytes(Buffer.from(answer), places), turns })
      const body = { stream: true, messages: [{ role: 'user', content: key }] }
      const seen: EventSourceMessage[] = []
      for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
        const lastEventId = seen.findLast(({ id }) => id !== undefined)?.id
        const response = await keyedChat(helix, key, body, lastEventId === undefined ? {} : { lastEventId })
        expect(response.status).toBe(200)
        if ((await ledgerRows(helix)).at(-1)?.outcome === null && lastEventId !== undefined) live += 1
        seen.push(...(await readUpTo(response, cut)))
        if (seen.at(-1)?.data === '[DONE]') break
      }
      expect(seen.at(-1)?.data).toBe('[DONE]')
      const received = seen.slice(0, -1)
      expect(received.map(({ id }) => Number(id?.split(':')[1]))).toEqual(received.map((_, index) => index))
      expect(received.map((event) => textOf(event) ?? '').join('')).toBe(answer)
    }),
    { numRuns: gridRuns(60) },
  )
  expect((await ledgerRows(helix)).length - rows).toBe(runs)
  expect(live).toBeGreaterThan(0)
})
