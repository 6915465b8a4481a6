import { createParser } from 'eventsource-parser'

/** Any server with this API. */
export type ChatServer = { readonly url: string; readonly key: string; readonly model: string }

type Question = { content: string; maxTokens: number }

/** Requests a streamed answer over HTTP, with deterministic sampling. */
export const askChat = (
  { url, key, model }: ChatServer,
  { content, maxTokens }: Question,
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
    }),
  })

/** The text pieces of a streamed answer, as they arrive. */
export async function* readTexts(response: Response): AsyncGenerator<string, void> {
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
  const texts: string[] = []
  const parser = createParser({
    onEvent({ data }) {
      const text = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content
      if (text) texts.push(text)
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* texts.splice(0)
  }
}
