import { expect, test } from 'vitest'
import type { PromptToken } from '../../engine/contract.ts'
import { createLegacyLogprobs } from './legacy-logprobs.ts'

const token = (text: string, logprob: number | null = -1, top: [string, number][] = []): PromptToken => ({
  id: 1,
  bytes: Buffer.from(text),
  logprob:
    logprob === null
      ? null
      : {
          logprob,
          rank: 0,
          top: top.map(([likely, value]) => ({ id: 2, bytes: Buffer.from(likely), logprob: value })),
        },
})

test('a token that the engine put in front of a text has a place in the lists, but none in the text', () => {
  const { text, logprobs } = createLegacyLogprobs('ab cd', 5).prompt([token('<s>', null), token('ab'), token(' cd')])
  expect(text).toBe('ab cd')
  expect(logprobs).toMatchObject({ tokens: ['<s>', 'ab', ' cd'], text_offset: [0, 0, 2] })
})

test('the most likely tokens, and the token itself if it is not one of them; of equal texts the likeliest', () => {
  const written = createLegacyLogprobs('x', 5).prompt([
    token('x', -5, [
      ['y', -0.1],
      ['y', -3],
    ]),
  ])
  expect(written.logprobs.top_logprobs).toEqual([{ y: -0.1, x: -5 }])
})

test('a token that cannot follow has a finite log probability, because JSON has no other', () => {
  const { logprobs } = createLegacyLogprobs('x', 5).prompt([token('x', Number.NEGATIVE_INFINITY)])
  expect(JSON.parse(JSON.stringify(logprobs.token_logprobs))).toEqual([-9999])
})

test('a character in several tokens has one place, and the end token comes after all text', () => {
  const parts = [...Buffer.from('水')].map((byte) => ({ ...token(''), bytes: Uint8Array.of(byte) }))
  const lists = createLegacyLogprobs(null, 5)
  expect(lists.prompt([...parts, token('a')])).toMatchObject({ text: '水a', logprobs: { text_offset: [0, 0, 0, 1] } })
  lists.content([{ bytes: Buffer.from('bc'), logprob: { logprob: -1, rank: 0, top: [] } }])
  expect(lists.end(token('<|end|>'))).toMatchObject({ tokens: ['<|end|>'], text_offset: [4], token_logprobs: [-1] })
})
