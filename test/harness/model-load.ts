import { createParser } from 'eventsource-parser'
import { createRandom } from './hostile-schemas.ts'
import { postChat } from './post-chat.ts'

/** A question with the answer that a single stream gives at temperature 0. */
export type Probe = { content: string; answer: string }

export type ModelLoad = {
  url: string
  keys: readonly string[]
  requests: number
  concurrency: number
  seed: number
  /** Maximum length of an answer, in tokens. */
  maxTokens: number
  /** Repeated among the other requests, and compared. */
  probes: readonly Probe[]
  /** Ends the load early. */
  isOver?: () => boolean
}

export type ModelOutcomes = {
  answered: number
  /** The client disconnected. */
  left: number
  /** Anything else; the reasons are in `problems`. */
  failed: number
  problems: string[]
  probes: { same: number; different: number }
}

const probeTokens = 12
/** Asked alone and under load in the same way. */
export const askProbe = async (server: { url: string; key: string }, content: string): Promise<string> => {
  const response = await postChat(server, content, { temperature: 0, max_tokens: probeTokens })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices[0]?.message.content ?? ''
}

/** Requests of all kinds to the real model, from a seed; a third of the clients disconnect at some moment. */
export const runModelLoad = async (load: ModelLoad): Promise<ModelOutcomes> => {
  const { url, keys, requests, concurrency, seed, maxTokens, probes, isOver = () => false } = load
  const below = createRandom(seed)
  const happens = (percent: number): boolean => below(100) < percent
  const outcomes: ModelOutcomes = { answered: 0, left: 0, failed: 0, problems: [], probes: { same: 0, different: 0 } }
  // By number, so that every load has probes and clients that leave, however the requests interleave.
  const askOne = async (number: number): Promise<void> => {
    const server = { url, key: keys[below(keys.length)] ?? '' }
    const probe = number % 7 === 0 ? probes[below(probes.length)] : undefined
    if (probe) {
      const answer = await askProbe(server, probe.content)
      outcomes.probes[answer === probe.answer ? 'same' : 'different'] += 1
      outcomes.answered += 1
      return
    }
    const leaving = new AbortController()
    const content = contents[below(contents.length)] ?? ''
    const body = { ...fieldSets[below(fieldSets.length)], stream: happens(70), max_tokens: 1 + below(maxTokens) }
    /** Leaves after so many reads, or before the answer begins; a client that stays reads everything. */
    const leavesAfter = number % 3 === 1 ? below(8) : Number.POSITIVE_INFINITY
    if (number % 9 === 1 || leavesAfter === 0) void turns(below(20)).then(() => leaving.abort())
    try {
      const response = await postChat(server, content, body, leaving.signal)
      const text = await readUntil(response, leavesAfter, leaving)
      if (!response.ok || (body.stream && lastEvent(text) !== '[DONE]')) throw new Error(`${response.status} ${text}`)
      outcomes.answered += 1
    } catch (error) {
      if (!leaving.signal.aborted) throw error
      outcomes.left += 1
    }
  }
  let begun = 0
  const keepAsking = async (): Promise<void> => {
    while (begun < requests && !isOver()) {
      begun += 1
      await askOne(begun).catch((error) => {
        outcomes.failed += 1
        if (outcomes.problems.length < 10) outcomes.problems.push(String(error).slice(-500))
      })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, keepAsking))
  return outcomes
}

const contents = [
  'Hi',
  'Write a poem about the sea.',
  '日本の首都はどこですか。',
  'Count from one to one hundred, in words.',
  `Summarise this: ${'The history of the railway began with wooden wagonways in mines. '.repeat(6)}`,
  `Translate this: ${'A ship is safe in harbour, but that is not what ships are for. '.repeat(4)}`,
]
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const fieldSets: Record<string, unknown>[] = [
  {},
  { temperature: 1.2, seed: 7 },
  { n: 3 },
  { logprobs: true, top_logprobs: 5 },
  { response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } } },
  { stop: ['.', '\n'] },
]

const readUntil = async (response: Response, reads: number, leaving: AbortController): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let seen = 0
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    seen += 1
    if (seen >= reads) leaving.abort()
  }
  return text
}

const lastEvent = (text: string): string | undefined => {
  const events: string[] = []
  createParser({ onEvent: ({ data }) => events.push(data) }).feed(text)
  return events.at(-1)
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
