import { expect } from 'vitest'
import { type JoinedChoice, joinChunks } from './join-chunks.ts'
import { readChunks } from './read-events.ts'
import type { Helix } from './start-helix.ts'

export type Completion = {
  id: string
  created: number
  model: string
  choices: JoinedChoice[]
  usage: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
    prompt_tokens_details: { cached_tokens: number }
    completion_tokens_details: { reasoning_tokens: number }
  }
  system_fingerprint: string
}

export const readCompletion = async (response: Response): Promise<Completion> => {
  expect(response.status).toBe(200)
  return (await response.json()) as Completion
}

/** The plain answer, after checking that the joined streamed one is the same. Call ids differ between answers. */
export const askBothWays = async (helix: Helix, body: Record<string, unknown>): Promise<Completion> => {
  const plain = await readCompletion(await helix.chat(body))
  const asked = { ...body, stream: true, stream_options: { include_usage: true } }
  const response = await helix.chat(asked)
  expect(response.status).toBe(200)
  const chunks = await readChunks(response)
  expect(comparable(joinChunks(chunks))).toEqual(comparable(plain.choices))
  expect(chunks.at(-1)?.usage).toEqual(plain.usage)
  return plain
}

/** A stream without tokens contains no log probabilities. */
const comparable = (choices: readonly JoinedChoice[]): unknown =>
  JSON.parse(
    JSON.stringify(choices, (key, value) => {
      if (key === 'id') return undefined
      return key === 'logprobs' && value?.content.length === 0 ? null : value
    }),
  )
