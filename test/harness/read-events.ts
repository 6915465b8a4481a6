import { createParser } from 'eventsource-parser'

/** The `data:` of every event of a streamed answer, in order. */
export const readEvents = async (response: Response): Promise<string[]> => {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  parser.feed(await response.text())
  return events
}

export type ToldJson = {
  token: string
  logprob: number
  bytes: number[]
  top_logprobs: { token: string; logprob: number; bytes: number[] }[]
}
export type ChunkChoice = {
  index: number
  delta: Record<string, unknown>
  logprobs: { content: ToldJson[]; refusal: null } | null
  finish_reason: string | null
  token_ids?: number[]
}
export type Chunk = {
  id: string
  object: string
  created: number
  model: string
  choices: ChunkChoice[]
  usage?: Record<string, unknown> | null
  obfuscation?: string
  prompt_token_ids?: number[]
}

/** The chunks of a whole answer; fails unless it ends with exactly one `[DONE]`. */
export const readChunks = async (response: Response): Promise<Chunk[]> => {
  const events = await readEvents(response)
  if (events.indexOf('[DONE]') !== events.length - 1) throw new Error('the stream does not end with one [DONE]')
  return events.slice(0, -1).map((data) => JSON.parse(data))
}

export const contentOf = (chunks: Chunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
