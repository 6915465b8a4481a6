import { createParser } from 'eventsource-parser'

/** The `data:` of every event of a streamed answer, in order. */
export const readEvents = async (response: Response): Promise<string[]> => {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  parser.feed(await response.text())
  return events
}

export type Chunk = {
  id: string
  object: string
  created: number
  model: string
  choices: { index: number; delta: Record<string, unknown>; logprobs: null; finish_reason: string | null }[]
  usage?: Record<string, unknown> | null
}

/** The chunks of a whole answer; fails unless it ends with exactly one `[DONE]`. */
export const readChunks = async (response: Response): Promise<Chunk[]> => {
  const events = await readEvents(response)
  if (events.indexOf('[DONE]') !== events.length - 1) throw new Error('the stream does not end with one [DONE]')
  return events.slice(0, -1).map((data) => JSON.parse(data))
}

export const contentOf = (chunks: Chunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
