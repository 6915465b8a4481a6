import { EventSourceParserStream } from 'eventsource-parser/stream'
import { offlineError, PlatformError } from '../../platform/platform-error.ts'
import { type AnswerEvent, readChunk } from './read-chunk.ts'

/** Sends a chat request: through the session, or with a key. Throws a PlatformError if it is refused. */
export type SendRequest = (request: unknown, signal: AbortSignal) => Promise<Response>

/**
 * Sends a chat request and yields its events. Throws a PlatformError when it is
 * refused, when the server breaks off with an error, or when the connection ends before the answer does.
 */
export async function* streamAnswer(
  send: SendRequest,
  request: unknown,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const response = await send(request, signal)
  if (response.body === null) throw cutOff()
  const requestId = response.headers.get('x-request-id')
  if (requestId !== null) yield { type: 'request', id: requestId }
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? error : navigator.onLine ? cutOff() : offlineError()
      })
      if (done) throw cutOff()
      if (value.data === '[DONE]') return
      yield* readChunk(value.data, requestId)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The connection ended in the middle of the answer. */
const cutOff = (): PlatformError =>
  new PlatformError({ status: 0, code: 'cut_off', message: 'the answer broke off before its end' })
