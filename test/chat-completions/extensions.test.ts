import { expect, test } from 'vitest'
import type { Conversation, Sampling } from '../../src/engine/contract.ts'
import { askBothWays, readCompletion } from '../harness/ask-both-ways.ts'
import { readChunks } from '../harness/read-events.ts'
import { startHelix } from '../harness/start-helix.ts'

/** What other servers have beyond the official service. */
const start = async () => {
  const seen: { sampling: Sampling; conversation: Conversation }[] = []
  const helix = await startHelix({
    answer(_, sampling, conversation) {
      seen.push({ sampling, conversation })
      return ['Hello', ', ', 'world', '!']
    },
  })
  return { helix, seen }
}

test('return_token_ids: the ids of the prompt and the answer, each once', async () => {
  const { helix } = await start()
  const completion = await askBothWays(helix, { return_token_ids: true })
  expect(completion.choices[0]?.token_ids).toEqual([1, 2, 3, 4])
  expect(completion).toHaveProperty('prompt_token_ids', [0, 1])
  const chunks = await readChunks(await helix.chat({ return_token_ids: true, stream: true }))
  expect(chunks.map(({ prompt_token_ids }) => prompt_token_ids)).toEqual([[0, 1], ...Array(5).fill(undefined)])
})

test('return_token_ids: tokens of a stop sequence, and held-back tokens, are included', async () => {
  const { helix } = await start()
  const stopped = await askBothWays(helix, { return_token_ids: true, stop: 'world!' })
  expect(stopped.choices[0]).toMatchObject({ message: { content: 'Hello, ' }, token_ids: [1, 2, 3, 4] })
  const plain = await askBothWays(helix, {})
  expect(plain.choices[0]).not.toHaveProperty('token_ids')
  expect(plain).not.toHaveProperty('prompt_token_ids')
})

test('the template gets its variables, and whether to start an answer or continue the last message', async () => {
  const { helix, seen } = await start()
  const messages = [
    { role: 'user', content: 'Count.' },
    { role: 'assistant', content: 'One, ' },
  ]
  const chat_template_kwargs = { enable_thinking: false, list: [1, { a: null }] }
  for (const body of [
    {},
    { chat_template_kwargs },
    { messages, continue_final_message: true },
    { messages, continue_final_message: true, add_generation_prompt: false },
    { messages, add_generation_prompt: false },
    { messages, add_generation_prompt: true, continue_final_message: false },
  ])
    await readCompletion(await helix.chat(body))
  const got = seen.map(({ conversation: { opening, templateVariables } }) => [opening, templateVariables])
  expect(got).toEqual([
    ['answer', {}],
    ['answer', chat_template_kwargs],
    ['continue', {}],
    ['continue', {}],
    ['none', {}],
    ['answer', {}],
  ])
  expect(seen[2]?.conversation.messages).toEqual(messages)
})

test('the engine gets every sampling parameter', async () => {
  const { helix, seen } = await start()
  await readCompletion(
    await helix.chat({
      top_k: 40,
      min_p: 0.05,
      repetition_penalty: 1.1,
      frequency_penalty: -1,
      presence_penalty: 2,
      min_tokens: 3,
      ignore_eos: true,
      stop_token_ids: [7, 8],
      logit_bias: { 5: -100, 17: 2.5 },
      logprobs: true,
      top_logprobs: 4,
    }),
  )
  await readCompletion(await helix.chat({ top_k: -1 }))
  expect(seen[0]?.sampling).toMatchObject({
    topK: 40,
    minP: 0.05,
    repetitionPenalty: 1.1,
    frequencyPenalty: -1,
    presencePenalty: 2,
    minTokens: 3,
    ignoreEnd: true,
    stopIds: [7, 8],
    logitBias: [
      [5, -100],
      [17, 2.5],
    ],
    topLogprobs: 4,
  })
  expect(seen[1]?.sampling.topK).toBe(0)
})

test('obfuscation pads every chunk of a choice if requested, and is absent otherwise', async () => {
  const helix = await startHelix({ answer: () => ['Hello', '日本語', '👩‍👩‍👧‍👦', '!'] })
  const ask = async (stream_options: unknown) => readChunks(await helix.chat({ stream: true, stream_options }))
  for (const options of [null, {}, { include_obfuscation: false }, { include_usage: true }])
    for (const chunk of await ask(options)) expect(chunk).not.toHaveProperty('obfuscation')
  const padded = await ask({ include_obfuscation: true, include_usage: true })
  expect(padded.pop()).not.toHaveProperty('obfuscation')
  for (const { obfuscation, choices } of padded) {
    expect(obfuscation).toMatch(/^[\w-]{1,32}$/)
    // What an onlooker sees is the number of bytes.
    const bytes = Buffer.byteLength(JSON.stringify(choices[0]?.delta) + obfuscation)
    expect(bytes % 32).toBe(0)
  }
})
