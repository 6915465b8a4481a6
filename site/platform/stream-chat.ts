import { EventSourceParserStream } from 'eventsource-parser/stream'
import { openPlatform } from './platform.ts'
import { offlineError, PlatformError } from './platform-error.ts'

type ChatTurn = { role: 'system' | 'user' | 'assistant'; content: string }
export type ChatRequest = { model: string; messages: readonly ChatTurn[] }
export type ChatEvent = { type: 'text'; text: string } | { type: 'usage'; completionTokens: number }

/** An answer of the model as it comes, through the session: no key is sent. Refusals and broken streams are thrown. */
export async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent, void> {
  const body = { ...request, stream: true, stream_options: { include_usage: true } }
  const response = await openPlatform('/playground/chat/completions', body, signal)
  if (response.body === null) throw offlineError()
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  const requestId = response.headers.get('x-request-id')
  for (;;) {
    const { done, value } = await events.read().catch((error: unknown) => {
      throw signal.aborted ? error : offlineError()
    })
    // A stream that stops without its last word was cut.
    if (done) throw offlineError()
    if (value.data === '[DONE]') return
    yield* readChunk(asChunk(JSON.parse(value.data)), requestId)
  }
}

type Chunk = {
  choices?: { delta?: { content?: string | null } }[]
  usage?: { completion_tokens: number } | null
  error?: { message: string; code: string | null }
}

/** The server's own tests hold every chunk to the specification, of which this is a part. */
const asChunk = (value: unknown): Chunk => value as Chunk

function* readChunk({ choices, usage, error }: Chunk, requestId: string | null): Generator<ChatEvent> {
  if (error !== undefined) {
    throw new PlatformError({ status: 500, code: error.code ?? 'server_fault', message: error.message, requestId })
  }
  const text = choices?.[0]?.delta?.content
  if (text) yield { type: 'text', text }
  if (usage) yield { type: 'usage', completionTokens: usage.completion_tokens }
}
