import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askBothWays, type Completion } from '../harness/ask-both-ways.ts'
import { callText } from '../harness/call-text.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { readChunks } from '../harness/read-events.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const contentOf = ({ choices }: Completion) => choices[0]?.logprobs?.content ?? []
const bytesOf = (tokens: readonly { bytes: number[] }[]): string =>
  Buffer.from(tokens.flatMap(({ bytes }) => bytes)).toString()

test('without top_logprobs each token has its own log probability and no others', async () => {
  const helix = await startHelix()
  for (const asked of [{ logprobs: true }, { logprobs: true, top_logprobs: 0 }]) {
    const completion = await askBothWays(helix, asked)
    expect(completion.choices[0]?.logprobs).toEqual({
      content: ['Hello', ', ', 'world', '!'].map((token) => ({
        token,
        logprob: Math.log(0.5),
        bytes: [...Buffer.from(token)],
        top_logprobs: [],
      })),
      refusal: null,
    })
  }
})

test('as many alternatives as requested, up to twenty', async () => {
  const helix = await startHelix()
  const tokens = contentOf(await askBothWays(helix, { logprobs: true, top_logprobs: 20 }))
  for (const { top_logprobs } of tokens) expect(top_logprobs).toHaveLength(20)
  await expectRefusal(
    helix,
    { logprobs: true, top_logprobs: 21 },
    { param: 'top_logprobs', code: 'integer_above_max_value', message: /maximum/ },
  )
})

test('without logprobs the field is null, also in every chunk', async () => {
  const helix = await startHelix()
  const completion = await askBothWays(helix, { logprobs: false })
  expect(completion.choices[0]).toHaveProperty('logprobs', null)
  const chunks = await readChunks(await helix.chat({ stream: true }))
  for (const { choices } of chunks) expect(choices[0]).toHaveProperty('logprobs', null)
})

test('a top token is in its own list; one beyond the twenty has −9999', async () => {
  const likely = (id: number, text: string, logprob: number) => ({ id, bytes: Buffer.from(text), logprob })
  const top = [likely(1, 'yes', -0.1), likely(2, 'no', -2.5)]
  const helix = await startHelix({
    answer: () => [
      { token: 'yes', logprob: { logprob: -0.1, rank: 0, top } },
      { token: 'maybe', logprob: { logprob: -9.5, rank: 19, top } },
      { token: 'zebra', logprob: { logprob: -17.25, rank: 20, top } },
    ],
  })
  const tokens = contentOf(await askBothWays(helix, { logprobs: true, top_logprobs: 2 }))
  expect(tokens.map(({ token, logprob }) => [token, logprob])).toEqual([
    ['yes', -0.1],
    ['maybe', -9.5],
    ['zebra', -9999],
  ])
  expect(tokens[0]?.top_logprobs).toEqual([
    { token: 'yes', logprob: -0.1, bytes: [121, 101, 115] },
    { token: 'no', logprob: -2.5, bytes: [110, 111] },
  ])
  for (const { logprob, top_logprobs } of tokens)
    for (const each of [logprob, ...top_logprobs.map((other) => other.logprob)]) expect(each).toBeLessThanOrEqual(0)
})

test('a token with part of a character has its own bytes', async () => {
  const [first = 0, ...rest] = Buffer.from('猫')
  const helix = await startHelix({ answer: () => ['ね', Uint8Array.of(first), Uint8Array.from(rest), '!'] })
  const completion = await askBothWays(helix, { logprobs: true })
  const tokens = contentOf(completion)
  expect(tokens.map(({ bytes }) => bytes)).toEqual([[...Buffer.from('ね')], [first], rest, [33]])
  expect(bytesOf(tokens)).toBe('ね猫!')
})

test('every piece of a stream has its own tokens', async () => {
  const helix = await startHelix({ answer: () => ['日', '本', ' is', ' Japan'] })
  const chunks = await readChunks(await helix.chat({ stream: true, logprobs: true, top_logprobs: 1 }))
  for (const { choices } of chunks) {
    const [choice] = choices
    if (!choice?.delta.content) continue
    expect(bytesOf(choice.logprobs?.content ?? [])).toBe(choice.delta.content)
    expect(choice.logprobs?.refusal).toBeNull()
  }
})

test('the bytes of all tokens are the bytes of the content, whatever is cut, stopped or called', async () => {
  const words = ['Hello', ' 日本語', '👩‍👩‍👧‍👦', ' EN', 'END', ' ', callText('f', { a: '日' }), '\n', '<tool_', '🇯🇵']
  const text = fc.array(fc.constantFrom(...words), { maxLength: 10 }).map((parts) => parts.join(''))
  const tools = [{ type: 'function', function: { name: 'f' } }]
  let tokens: Uint8Array[] = []
  const helix = await openHelix({ answer: () => tokens })
  try {
    await fc.assert(
      fc.asyncProperty(text, anyCuts, fc.boolean(), fc.nat({ max: 40 }), async (whole, cuts, withTools, limit) => {
        tokens = cutBytes(Buffer.from(whole), cuts)
        const completion = await askBothWays(helix, {
          logprobs: true,
          stop: ['END', '本語'],
          ...(withTools ? { tools } : {}),
          ...(limit > 0 ? { max_completion_tokens: limit } : {}),
        })
        const content = completion.choices[0]?.message.content ?? ''
        expect(bytesOf(contentOf(completion))).toBe(content)
        expect(content).not.toMatch(/END|本語|\ufffd/)
      }),
      { numRuns: 60 },
    )
  } finally {
    await helix.close()
  }
})
