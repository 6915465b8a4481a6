import { randomBytes } from 'node:crypto'
import { newId } from '../../base/ids.ts'
import { toApiError } from '../../http/respond.ts'
import type { FinishReason } from '../generation/answer/answer-part.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import { toAnswerPiece } from './answer-piece.ts'
import type { ReceivedResponsesRequest } from './request/read-responses-request.ts'
import { createResponseBuilder } from './response-builder.ts'
import type { ResponseJson } from './response-json.ts'
import type { ResponseEvent } from './stream-events.ts'

/** Writes one answer as a response. */
export const openResponseFormatter = (
  request: ReceivedResponsesRequest,
  answer: FormattedAnswer,
): AnswerFormatter<ResponseJson> => {
  const { response: options, stream } = request
  const { customTools, summarises, obfuscate, echoes } = options
  const builder = createResponseBuilder({
    head: { id: answer.id, created: Math.floor(answer.createdAt / 1000), model: answer.model.id, echoes },
    customTools,
    summarises,
    newItemId: newId,
  })
  let hasBegun = false
  const start = (): ResponseEvent[] => {
    if (hasBegun) return []
    hasBegun = true
    return builder.start()
  }
  let closing: ResponseEvent[] | null = null
  const complete = (reason: FinishReason): ResponseEvent[] => {
    const completedAt = Math.floor(answer.now() / 1000)
    closing ??= [...start(), ...builder.complete({ reason, usage: answer.usage(), completedAt })]
    return closing
  }
  const writeEvent = (event: ResponseEvent): string => eventText(event, obfuscate)
  return {
    events([, event]) {
      if (event.type === 'finish') return []
      return [...start(), ...builder.add(toAnswerPiece(event))].map(writeEvent)
    },
    // Nothing was sent yet: the error alone is the answer.
    failureEvents: (error) =>
      hasBegun && closing === null ? builder.fail(toApiError(error, answer.requestId)).map(writeEvent) : [],
    lastEvents: ([finish]) => complete(finish?.[1].reason ?? 'stop').map(writeEvent),
    document([choice]) {
      // In a stream they were added as they arrived.
      if (!stream) for (const part of choice?.parts ?? []) builder.add(toAnswerPiece(part))
      complete(choice?.finish.reason ?? 'stop')
      return builder.response()
    },
  }
}

/** Pads deltas to one of a few lengths, so that the length of an event does not reveal the token. */
export const eventText = (event: ResponseEvent, obfuscate: boolean): string => {
  if (!obfuscate || !('delta' in event)) return JSON.stringify(event)
  const missing = 32 - (Buffer.byteLength(event.delta) % 32)
  const obfuscation = randomBytes(missing).toString('base64url').slice(0, missing)
  return JSON.stringify({ ...event, obfuscation })
}
