import type { ApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createInputTokens } from '../api/responses/input-tokens.ts'
import { createResolveConversation } from '../api/responses/resolve-conversation.ts'
import { createResponsesDialect } from '../api/responses/responses-dialect.ts'
import { expireHourly } from '../api/responses/stored/expire-hourly.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { oneAtATime } from '../nodes/one-at-a-time.ts'
import type { ResponseRecords } from '../store/response-contract.ts'
import type { Closers } from './closers.ts'

type ResponsesOptions = {
  clock: Clock
  log: Log
  responses: ResponseRecords
  readers: ApiBodyReaders
  node: Pick<NodeLease, 'holdTask'>
  closers: Closers
}

/** The dialect of `POST /v1/responses`, with the deletion of expired responses. */
export const openResponses = ({ clock, log, responses, readers, node, closers }: ResponsesOptions) => {
  const reader = readers.reader('responses')
  const expiring = expireHourly({
    responses: { removeExpired: oneAtATime(node, 'expire responses', responses.removeExpired) },
    ...{ clock, log },
  })
  closers.add(() => expiring.close())
  const resolve = createResolveConversation({ responses, clock })
  return {
    dialect: createResponsesDialect({ reader, resolve, responses }),
    inputTokens: createInputTokens({ reader, resolve }),
  }
}
