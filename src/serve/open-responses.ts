import type { Dialect } from '../api/generation/dialect.ts'
import type { ReceivedResponsesRequest } from '../api/responses/request/read-responses-request.ts'
import { openResponsesRequestReader } from '../api/responses/request/responses-request-reader.ts'
import { createResponsesDialect } from '../api/responses/responses-dialect.ts'
import { expireHourly } from '../api/responses/stored/expire-hourly.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { ResponseRecords } from '../store/response-contract.ts'
import type { Closers } from './closers.ts'

type ResponsesOptions = { config: Config; clock: Clock; log: Log; responses: ResponseRecords; closers: Closers }

/** The dialect of `POST /v1/responses`, with the thread that reads large requests and the deletion of expired responses. */
export const openResponses = ({
  config,
  clock,
  log,
  responses,
  closers,
}: ResponsesOptions): Dialect<ReceivedResponsesRequest> => {
  const reader = openResponsesRequestReader({ bodyLimitBytes: config.bodyLimitBytes, clock })
  closers.add(() => reader.close())
  const expiring = expireHourly({ responses, clock, log })
  closers.add(() => expiring.close())
  return createResponsesDialect({ reader, responses, clock })
}
