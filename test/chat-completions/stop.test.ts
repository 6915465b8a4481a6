import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { contentOf, readChunks } from '../harness/read-events.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

test('a stop sequence across two tokens ends the answer, is not part of it, and frees the engine', async () => {
  const helix = await startHelix({ answer: () => ['one', ' tw', 'o', ' three', ' four'] })
  const { choices, usage } = await askBothWays(helix, { stop: ['two', '終わり'] })
  expect(choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'one ' } }])
  expect(usage.completion_tokens).toBe(3)
  expect(helix.engine.active()).toBe(0)
})

test('a beginning that does not become a stop sequence is sent', async () => {
  const helix = await startHelix({ answer: () => ['one', ' tw', 'ist', ' and tw'] })
  const chunks = await readChunks(await helix.chat({ stream: true, stop: 'two' }))
  expect(contentOf(chunks)).toBe('one twist and tw')
  const pieces = chunks.map(({ choices }) => choices[0]?.delta.content).filter((piece) => piece)
  expect(pieces).toEqual(['one', ' ', 'twis', 't and ', 'tw'])
})

test('no beginning of a stop sequence is ever sent, however the answer is divided', async () => {
  const stops = ['END', '終わり', '👩‍👧', 'aab']
  const words = ['a', 'b', 'EN', 'E', 'D', '終', 'わり', '👩', '\u200d', '👧', ' ']
  const text = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(''))
  let tokens: Uint8Array[] = []
  const helix = await openHelix({ answer: () => tokens })
  try {
    await fc.assert(
      fc.asyncProperty(text, anyCuts, async (whole, cuts) => {
        tokens = cutBytes(Buffer.from(whole), cuts)
        const places = stops.map((stop) => whole.indexOf(stop)).filter((place) => place >= 0)
        const expected = places.length === 0 ? whole : whole.slice(0, Math.min(...places))
        const { choices } = await askBothWays(helix, { stop: stops })
        expect(choices[0]?.message.content).toBe(expected)
      }),
      { numRuns: 60 },
    )
  } finally {
    await helix.close()
  }
})

test('if a stop sequence is complete when the limit is reached, the finish reason is stop', async () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const helix = await startHelix({ answer: () => ['Hello', '\n', 'more'] })
  for (const more of [{}, { tools }]) {
    const { choices } = await askBothWays(helix, { stop: '\n', max_completion_tokens: 2, ...more })
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello' } })
  }
})
