import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import type { EngineEvent } from '../contract.ts'
import { splitPieces } from '../split-pieces.ts'
import { createAnswerReader } from './answer-reader.ts'
import { createPassedEvents } from './passed-events.ts'
import { createUpstreamCounts } from './upstream-counts.ts'

const key = 'secret-key-of-seventeen'
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('', ' ', '  ', 's', 'secret', 'secret-key-', 'of-seventeen', `a${key}b`, 'word ', '\ud83d', '\ude00'),
)
const anyReads = fc.array(fc.array(anyText, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })
/** A tokenizer of two characters each, or none. */
const counter = {
  prompt: async () => 1,
  texts: async (texts: readonly string[]) => Math.ceil(texts.join('').length / 2),
}

type Options = { takesPieces: boolean; maxTokens: number | null; isCounted: boolean }

const readAll = async (reads: readonly (readonly string[])[], { takesPieces, maxTokens, isCounted }: Options) => {
  const reader = createAnswerReader({ logprobs: false, redact: (text) => text, takesPieces })
  const passing = createPassedEvents({ key, maxTokens, counter: isCounted ? counter : null, scope: 'org' })
  const { log } = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const counts = createUpstreamCounts({ messages: [{ role: 'user', content: 'Hi' }], limit: null, log })
  const batches: EngineEvent[][] = []
  let joined = 0
  let isCut = false
  for (const [index, texts] of reads.entries()) {
    const isEnd = index === reads.length - 1
    const events: EngineEvent[] = []
    reader.readTexts(texts, events)
    if (isEnd) reader.end(events)
    const { events: passed, isReached } = await passing.pass(events, isEnd)
    for (const event of passed) counts.add(event)
    joined += passed.filter((event) => event.type === 'text' && event.pieces !== undefined).length
    batches.push([...splitPieces(passed)])
    isCut = isReached
    if (isCut) break
  }
  return { read: { batches, isCut, counts: await counts.counts(null) }, joined }
}

test('texts that arrive together are hidden, limited and counted as they are one by one', async () => {
  let joined = 0
  const anyLimit = fc.option(fc.integer({ min: 1, max: 60 }), { nil: null })
  await fc.assert(
    fc.asyncProperty(anyReads, anyLimit, fc.boolean(), async (reads, maxTokens, isCounted) => {
      const together = await readAll(reads, { takesPieces: true, maxTokens, isCounted })
      const oneByOne = await readAll(reads, { takesPieces: false, maxTokens, isCounted })
      joined += together.joined
      expect(together.read).toEqual(oneByOne.read)
      expect(oneByOne.joined).toBe(0)
    }),
  )
  expect(joined).toBeGreaterThan(5)
})
