import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { toApiError } from '../../http/respond.ts'
import type { ResponseRecords } from '../../store/response-contract.ts'
import type { ChoiceJson } from '../chat-completions/shapes.ts'
import type { AnswerFormatter, FormattedAnswer } from '../generation/dialect.ts'
import type { FinishReason, NumberedEvent } from '../generation/output/choice.ts'
import { type AnswerPiece, answerPieceOf } from './answer-piece.ts'
import type { ReceivedResponsesRequest } from './request/read-responses-request.ts'
import { createResponseBuilder } from './response-builder.ts'
import type { ResponseJson } from './response-json.ts'
import type { ResponseEvent } from './stream-events.ts'
import { createStreamRecord } from './stream-record.ts'

type FormatterDependencies = { responses: Pick<ResponseRecords, 'insert'>; clock: Clock }

/** Writes one answer as a response, and stores it unless the request forbids that. */
export const openResponseFormatter = (
  { responses, clock }: FormatterDependencies,
  request: ReceivedResponsesRequest,
  answer: FormattedAnswer,
): AnswerFormatter => {
  const { response: options, store, obfuscate, stream } = request
  const { customTools, summarises, echoes } = options
  const builder = createResponseBuilder({
    head: { id: answer.id, created: Math.floor(answer.createdAt / 1000), model: answer.model.id, echoes },
    customTools,
    summarises,
    newItemId: newId,
  })
  const record = store && stream ? createStreamRecord(customTools) : null
  let hasBegun = false
  const start = (): ResponseEvent[] => {
    if (hasBegun) return []
    hasBegun = true
    return builder.start()
  }
  let closing: ResponseEvent[] | null = null
  const complete = (reason: FinishReason): ResponseEvent[] => {
    const completedAt = Math.floor(clock.now() / 1000)
    closing ??= [...start(), ...builder.complete({ reason, usage: answer.usage(), completedAt })]
    return closing
  }
  const textOf = (event: ResponseEvent): string => eventText(event, obfuscate)
  const insert = (response: ResponseJson): Promise<void> =>
    responses.insert(
      {
        id: answer.id,
        organisationId: answer.organisationId,
        createdAt: answer.createdAt,
        previousId: options.previousResponseId,
        response: JSON.stringify(response),
        input: options.inputJson,
        deltas: record?.json() ?? null,
      },
      response.output.map(({ id }) => id),
    )
  return {
    events([, event]: NumberedEvent) {
      if (event.type === 'finish') return []
      const piece = answerPieceOf(event)
      record?.add(piece)
      return [...start(), ...builder.add(piece)].map(textOf)
    },
    // Nothing was sent yet: the error alone is the answer.
    failureEvents: (error) =>
      hasBegun && closing === null ? builder.fail(toApiError(error, answer.requestId)).map(textOf) : [],
    lastEvents: (finishes) => complete(reasonOf(finishes)).map(textOf),
    async document(choices) {
      const [choice] = choices
      // A stream has them already.
      if (!stream && choice !== undefined) for (const piece of piecesOf(choice)) builder.add(piece)
      complete(choice?.finish_reason ?? 'stop')
      const response = builder.response()
      if (store) await insert(response)
      return response
    },
    isStored: store,
  }
}

const reasonOf = (finishes: readonly NumberedEvent[]): FinishReason => {
  const event = finishes[0]?.[1]
  return event?.type === 'finish' ? event.reason : 'stop'
}

const piecesOf = ({ message, logprobs }: ChoiceJson): AnswerPiece[] => {
  const { reasoning_content: reasoning, content, refusal, tool_calls: calls = [] } = message
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(content ? [{ type: 'content' as const, text: content, logprobs: logprobs?.content ?? [] }] : []),
    ...(refusal ? [{ type: 'refusal' as const, text: refusal }] : []),
    ...calls.flatMap(({ id, function: called }, index) => [
      { type: 'call' as const, index, id, name: called.name },
      { type: 'arguments' as const, index, text: called.arguments },
    ]),
  ]
}

/** Pads deltas to one of a few lengths, so that the length of an event does not reveal the token. */
export const eventText = (event: ResponseEvent, obfuscate: boolean): string => {
  if (!obfuscate || !('delta' in event)) return JSON.stringify(event)
  const missing = 32 - (Buffer.byteLength(event.delta) % 32)
  const obfuscation = randomBytes(missing).toString('base64url').slice(0, missing)
  return JSON.stringify({ ...event, obfuscation })
}
