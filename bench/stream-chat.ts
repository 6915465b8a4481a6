import { createParser } from 'eventsource-parser'

/** Any server with this API. */
export type ChatServer = { readonly url: string; readonly key: string; readonly model: string }

export type Question = {
  content: string
  maxTokens: number
  /** Further fields of the body. */
  fields?: Record<string, unknown>
}

/** Requests a streamed answer over HTTP, with deterministic sampling. */
export const askChat = (
  { url, key, model }: ChatServer,
  { content, maxTokens, fields }: Question,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content }],
      stream: true,
      temperature: 0,
      max_tokens: maxTokens,
      ...fields,
    }),
  })

export type StreamUsage = {
  prompt_tokens: number
  completion_tokens: number
  prompt_tokens_details?: { cached_tokens?: number }
}
type StreamChunk = { choices: { delta: { content?: string | null } }[]; usage?: StreamUsage | null }

/** The chunks of a streamed answer, as they arrive. */
export async function* readStream(response: Response): AsyncGenerator<StreamChunk, void> {
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
  const chunks: StreamChunk[] = []
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]') chunks.push(asChunk(JSON.parse(data)))
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* chunks.splice(0)
  }
}

const asChunk = (data: StreamChunk & { error?: unknown }): StreamChunk => {
  if (data.error !== undefined) throw new Error(`the stream failed: ${JSON.stringify(data.error)}`)
  return data
}

/** The text pieces of a streamed answer, as they arrive. */
export async function* readTexts(response: Response): AsyncGenerator<string, void> {
  for await (const { choices } of readStream(response)) {
    const text = choices[0]?.delta.content
    if (text) yield text
  }
}
