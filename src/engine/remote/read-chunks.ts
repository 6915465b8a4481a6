import { createParser } from 'eventsource-parser'
import { ApiError } from '../../base/api-error.ts'

/** What we read of an upstream's chunk; everything in it may be missing. */
export type UpstreamChunk = {
  choices?: { delta?: { content?: unknown }; finish_reason?: unknown }[]
  usage?: {
    prompt_tokens?: unknown
    completion_tokens?: unknown
    prompt_tokens_details?: { cached_tokens?: unknown } | null
  } | null
}

/** The chunks of a streamed answer, until `[DONE]` or the end. An error event is thrown. */
export async function* readChunks(response: Response): AsyncGenerator<UpstreamChunk, void> {
  const ready: string[] = []
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    for (const data of ready.splice(0)) {
      if (data === '[DONE]') return
      yield parseChunk(data)
    }
  }
}

const parseChunk = (data: string): UpstreamChunk => {
  const chunk = JSON.parse(data)
  if (typeof chunk !== 'object' || chunk === null || 'error' in chunk)
    throw ApiError.of('upstream_failed', {}, { cause: 'the upstream sent an error event' })
  return chunk
}
