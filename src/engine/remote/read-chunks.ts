import { createParser } from 'eventsource-parser'
import { ApiError } from '../../base/api-error.ts'

/** The fields used from an upstream's chunk; any of them may be missing. */
export type UpstreamChunk = {
  choices?: { delta?: { content?: unknown }; finish_reason?: unknown }[]
  usage?: {
    prompt_tokens?: unknown
    completion_tokens?: unknown
    prompt_tokens_details?: { cached_tokens?: unknown } | null
  } | null
}

/** Yields the chunks of a streamed answer until `[DONE]` or the end. Throws on an error event. */
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
