import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { gridRuns } from '../harness/grid.ts'
import { contentOf, readChunks } from '../harness/read-events.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const all = '日本語と👩‍👩‍👧‍👦と🇯🇵🏴󠁧󠁢󠁳󠁣󠁴󠁿、é und ẞ.'

test('no piece of a stream contains an incomplete character, even if every byte is a token', async () => {
  const helix = await startHelix({ answer: () => Array.from(Buffer.from(all), (byte) => Uint8Array.of(byte)) })
  const response = await helix.chat({ stream: true })
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
  const chunks = await readChunks(response)
  for (const { choices } of chunks) {
    const piece = String(choices[0]?.delta.content ?? '')
    expect(piece).not.toContain('\ufffd')
    expect(piece.isWellFormed()).toBe(true)
  }
  expect(contentOf(chunks)).toBe(all)
})

test('an answer that is cut off within a character has no invalid character', async () => {
  const bytes = Buffer.from(all)
  const helix = await startHelix({ answer: () => Array.from(bytes, (byte) => Uint8Array.of(byte)) })
  for (const limit of [1, 2, 3, 4, 13, 14, 15]) {
    const { choices, usage } = await askBothWays(helix, { max_completion_tokens: limit })
    expect(choices[0]?.finish_reason).toBe('length')
    expect(choices[0]?.message.content).toBe(
      bytes
        .subarray(0, limit)
        .toString()
        .replace(/\ufffd/g, ''),
    )
    expect(usage.completion_tokens).toBe(limit)
  }
})

test('invalid bytes do no harm, and a stream and a JSON response contain the same', async () => {
  let tokens: Uint8Array[] = []
  const helix = await openHelix({ answer: () => tokens })
  const someBytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => Buffer.from(text)),
    ),
    { maxLength: 8 },
  )
  try {
    await fc.assert(
      fc.asyncProperty(someBytes, anyCuts, fc.boolean(), async (parts, cuts, logprobs) => {
        const bytes = Buffer.concat(parts)
        tokens = cutBytes(bytes, cuts)
        const { choices } = await askBothWays(helix, { logprobs })
        const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
        expect(choices[0]?.message.content).toBe(decoded)
      }),
      { numRuns: gridRuns(60) },
    )
  } finally {
    await helix.close()
  }
})
