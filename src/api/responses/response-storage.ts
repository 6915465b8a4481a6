import type { ResponseRecords } from '../../store/response-contract.ts'
import type { AnswerStorage } from '../generation/dialect.ts'
import { toAnswerPiece } from './answer-piece.ts'
import type { ReceivedResponsesRequest } from './request/read-responses-request.ts'
import type { ResponseJson } from './response-json.ts'
import { createStreamRecord } from './stream-record.ts'

/** Stores responses with the items of their requests; streamed ones also with how they were divided. */
export const createResponseStorage = (
  responses: Pick<ResponseRecords, 'insert'>,
): AnswerStorage<ReceivedResponsesRequest, ResponseJson> => ({
  open({ stream, response: options }, { id, organisationId, createdAt }) {
    const record = stream ? createStreamRecord(options.customTools) : null
    return {
      add([, event]) {
        if (event.type !== 'finish') record?.add(toAnswerPiece(event))
      },
      store: (response) =>
        responses.insert(
          {
            id,
            organisationId,
            createdAt,
            previousId: options.previousResponseId,
            response: JSON.stringify(response),
            input: options.inputJson,
            deltas: record?.json() ?? null,
          },
          response.output.map((item) => item.id),
        ),
    }
  },
})
