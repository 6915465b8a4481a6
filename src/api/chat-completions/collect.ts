import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { AnswerEvent } from './answer.ts'
import { type CompletionHead, completionJson, type Finish } from './shapes.ts'

/** The whole answer as one JSON document. */
export const collectAnswer = async (
  exchange: Exchange,
  head: CompletionHead,
  events: AsyncIterable<AnswerEvent>,
): Promise<Finish> => {
  const pieces: string[] = []
  for await (const event of events) {
    if (event.type === 'finish') {
      sendJson(exchange, 200, completionJson(head, pieces.join(''), event))
      return event
    }
    pieces.push(event.text)
  }
  throw new Error('the answer ended without a finish')
}
