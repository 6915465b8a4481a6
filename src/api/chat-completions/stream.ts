import type { EventStream } from '../../http/event-stream.ts'
import type { AnswerEvent } from './answer.ts'
import { type CompletionHead, createChunks, type Finish } from './shapes.ts'

/**
 * The answer as server-sent events. Nothing is sent before the first token is there, so that whatever fails until then
 * still gets a JSON error with its real status.
 */
export const streamAnswer = async (
  stream: EventStream,
  head: CompletionHead,
  includeUsage: boolean,
  events: AsyncIterable<AnswerEvent>,
): Promise<Finish> => {
  const chunks = createChunks(head, includeUsage)
  let started = false
  for await (const event of events) {
    if (!started) await stream.send(chunks.role())
    started = true
    if (event.type === 'text') {
      // Awaiting nothing costs a turn of the event loop for each token.
      const slowReader = stream.send(chunks.content(event.text))
      if (slowReader !== undefined) await slowReader
      continue
    }
    await stream.send(chunks.finish(event.reason))
    if (includeUsage) await stream.send(chunks.usage(event.usage))
    stream.done()
    return event
  }
  throw new Error('the answer ended without a finish')
}
