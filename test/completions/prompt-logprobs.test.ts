import { beforeAll, expect, test } from 'vitest'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

type Lists = {
  tokens: string[]
  token_logprobs: (number | null)[]
  top_logprobs: (Record<string, number> | null)[]
  text_offset: number[]
}
type Completion = {
  choices: { index: number; text: string; logprobs: Lists; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number }
}

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ answer: () => ['Hello', ', ', 'world', '!'] })
  return helix.close
})
const post = (body: Record<string, unknown>, headers: Record<string, string> = {}, to: Helix = helix) =>
  fetch(`${to.baseUrl}/completions`, {
    method: 'POST',
    headers: { ...to.authorized, ...headers },
    body: JSON.stringify({ model: modelName, prompt: 'Once upon', echo: true, logprobs: 1, ...body }),
  })
const complete = async (body: Record<string, unknown> = {}) => {
  const response = await post(body)
  expect(response.status, await response.clone().text()).toBe(200)
  return (await response.json()) as Completion
}

const half = Math.log(0.5)

test('the tokens of a text, the first without a log probability, and then those of the answer', async () => {
  const { choices, usage } = await complete({ max_tokens: 1 })
  expect(choices).toEqual([
    {
      index: 0,
      text: 'Once uponHello',
      logprobs: {
        tokens: ['', 'Once', ' upo', 'n', 'Hello'],
        token_logprobs: [null, half, half, half, half],
        top_logprobs: [null, { Once: half }, { ' upo': half }, { n: half }, { Hello: half }],
        text_offset: [0, 0, 4, 8, 9],
      },
      finish_reason: 'length',
    },
  ])
  expect(usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 1 })
})

test('no tokens are generated with max_tokens 0, and none are billed', async () => {
  const own = await startHelix()
  const response = await post({ max_tokens: 0 }, {}, own)
  const { choices, usage } = (await response.json()) as Completion
  expect(choices[0]).toMatchObject({ text: 'Once upon', finish_reason: 'length' })
  expect(choices[0]?.logprobs.tokens).toEqual(['', 'Once', ' upo', 'n'])
  expect(usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 0 })
  const [row] = await readLedger(own)
  expect(row?.settlement).toMatchObject({ outcome: 'completed', promptTokens: 4, completionTokens: 0 })
})

test('token ids: the text is theirs', async () => {
  const { choices } = await complete({ prompt: [7, 8, 9], max_tokens: 1 })
  expect(choices[0]).toMatchObject({
    text: '<7><8><9>Hello',
    logprobs: { tokens: ['<7>', '<8>', '<9>', 'Hello'], text_offset: [0, 3, 6, 9] },
  })
})

test('several prompts with several choices each', async () => {
  const { choices } = await complete({ prompt: ['ab', 'cdefg'], n: 2, max_tokens: 1 })
  expect(choices.map(({ text, logprobs }) => [text, logprobs.tokens])).toEqual([
    ['abHello', ['', 'ab', 'Hello']],
    ['abHello', ['', 'ab', 'Hello']],
    ['cdefgHello', ['', 'cdef', 'g', 'Hello']],
    ['cdefgHello', ['', 'cdef', 'g', 'Hello']],
  ])
})

test.each<[string, Record<string, unknown>]>([
  ['a text', {}],
  ['token ids', { prompt: [7, 8, 9] }],
  ['no answer', { max_tokens: 0 }],
])('a stream says the same as the whole: %s', async (_, body) => {
  const whole = await complete(body)
  const events = await readEvents(await post({ ...body, stream: true }))
  const pieces: Completion[] = events.slice(0, -1).map((data) => JSON.parse(data))
  const choices = pieces.flatMap((piece) => piece.choices)
  const all = <Item>(list: (lists: Lists) => Item[]): Item[] =>
    choices.flatMap(({ logprobs }) => (logprobs === null ? [] : list(logprobs)))
  expect(choices.map(({ text }) => text).join('')).toBe(whole.choices[0]?.text)
  expect({
    tokens: all(({ tokens }) => tokens),
    token_logprobs: all(({ token_logprobs }) => token_logprobs),
    top_logprobs: all(({ top_logprobs }) => top_logprobs),
    text_offset: all(({ text_offset }) => text_offset),
  }).toEqual(whole.choices[0]?.logprobs)
})

test('a retry with the same idempotency key gets the same log probabilities and is not billed again', async () => {
  const own = await startHelix()
  const key = { 'idempotency-key': 'score-1' }
  const first = await (await post({ max_tokens: 0 }, key, own)).text()
  const again = await post({ max_tokens: 0 }, key, own)
  expect(await again.text()).toBe(first)
  expect(await readLedger(own)).toHaveLength(1)
})

test('log probabilities that exceed the memory of an answer end the request with an error', async () => {
  const own = await startHelix({ config: { answerLimitBytes: 65_536 } })
  const response = await post({ prompt: 'word'.repeat(1000), max_tokens: 0 }, {}, own)
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([400, 'answer_too_large'])
})

test('a generated token without a complete character is listed: clients count from the end', async () => {
  const own = await startHelix({ answer: () => [Buffer.from('水').subarray(0, 1), 'x'] })
  const { choices } = (await (await post({ max_tokens: 1 }, {}, own)).json()) as Completion
  expect(choices[0]).toMatchObject({ text: 'Once upon', logprobs: { tokens: ['', 'Once', ' upo', 'n', ''] } })
  expect(choices[0]?.logprobs.token_logprobs).toHaveLength(5)
})

test('the log probabilities of a prompt are computed once, however many choices it has, and written in each', async () => {
  const scored: (number | null)[] = []
  const own = await startHelix({
    answer: (_, { promptLogprobs }) => {
      scored.push(promptLogprobs)
      return ['Hello']
    },
  })
  const body = { prompt: ['ab', 'cdefg'], n: 3, max_tokens: 1 }
  const { choices } = (await (await post(body, {}, own)).json()) as Completion
  expect(scored.filter((count) => count !== null)).toHaveLength(2)
  expect(choices.map(({ logprobs }) => logprobs.tokens.join())).toEqual([
    ...Array(3).fill(',ab,Hello'),
    ...Array(3).fill(',cdef,g,Hello'),
  ])
  for (const { logprobs } of choices) expect(logprobs).toEqual(choices[logprobs.tokens.length === 3 ? 0 : 3]?.logprobs)
})

test('a stream with the log probabilities of prompts has one choice for each prompt', async () => {
  const response = await post({ n: 2, stream: true })
  expect([response.status, JSON.parse(await response.text()).error.param]).toEqual([400, 'n'])
  const events = await readEvents(await post({ prompt: ['ab', 'cd'], stream: true }))
  expect(events.at(-1)).toBe('[DONE]')
})

test.each<[string, Record<string, unknown>]>([
  ['log probabilities in every choice', { prompt: 'word'.repeat(100), n: 9 }],
  ['a text in every choice', { prompt: 'word'.repeat(100), n: 128, logprobs: null }],
  [
    'token ids in every choice',
    { prompt: 'word'.repeat(300), n: 128, logprobs: null, echo: false, return_token_ids: true },
  ],
])('an answer that is certain to exceed the limit is refused before the model is asked: %s', async (_, body) => {
  let asked = 0
  const answer = () => {
    asked += 1
    return ['Hello']
  }
  const own = await startHelix({ answer, config: { answerLimitBytes: 65_536 } })
  const response = await post(body, {}, own)
  expect([response.status, JSON.parse(await response.text()).error.code, asked]).toEqual([400, 'answer_too_large', 0])
  expect(await readLedger(own)).toEqual([])
})

test('a long answer, which is written in pieces, has the same lists as a short one', async () => {
  const prompt = Array.from({ length: 5000 }, (_, index) => (index % 900) + 7)
  const { choices } = await complete({ prompt, max_tokens: 1 })
  const texts = prompt.map((id) => `<${id}>`)
  expect(choices[0]?.text).toBe(`${texts.join('')}Hello`)
  expect(choices[0]?.logprobs.tokens).toEqual([...texts, 'Hello'])
  expect(choices[0]?.logprobs.text_offset.at(-1)).toBe(texts.join('').length)
  expect(choices[0]?.logprobs.top_logprobs[1]).toEqual({ '<8>': half })
})

test('answers with log probabilities of prompts share the memory for answers, and without space are refused unbilled', async () => {
  const read = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const own = await startHelix({
    *answer() {
      begun.resolve()
      yield { pause: read.promise }
      yield 'Hello'
    },
    config: { answerBufferLimitBytes: 450_000 },
  })
  const body = { prompt: 'word'.repeat(500), max_tokens: 1 }
  const first = post(body, {}, own)
  await begun.promise
  const refused = await post(body, {}, own)
  expect([refused.status, JSON.parse(await refused.text()).error.code]).toEqual([503, 'answer_memory_full'])
  expect(refused.headers.has('retry-after')).toBe(true)
  read.resolve()
  expect((await first).status).toBe(200)
  expect((await post(body, {}, own)).status).toBe(200)
  const never = await post({ ...body, prompt: 'word'.repeat(1100) }, {}, own)
  expect([never.status, JSON.parse(await never.text()).error.code]).toEqual([400, 'answer_too_large'])
  const settlements = (await readLedger(own)).map(({ settlement }) => [settlement?.outcome, settlement?.promptTokens])
  expect(settlements.sort()).toEqual([
    ['completed', 501],
    ['completed', 501],
    ['failed', 0],
  ])
})
