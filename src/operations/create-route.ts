import type { Exchange } from '../http/exchange.ts'
import { readJson } from '../http/read-json.ts'
import { readQuery } from '../http/read-query.ts'
import { sendJson, sendNothing } from '../http/respond.ts'
import type { AnswerOf, Call, CallerOf } from './call.ts'
import type { Client } from './client.ts'
import type { Operation, Operations } from './operation.ts'
import type { Route } from './route.ts'

/** Forms are small. */
const formLimitBytes = 65_536

/** What a route has beside its operation, known only when the server starts. */
type RouteOptions = Pick<Route, 'style' | 'onError'> & {
  /** If the operation has no limit of its own; default: that of a form. */
  bodyLimitBytes?: number
}

/** The route of an operation. `answer` returns what the operation says; the rest happens here. */
export const createRoute = <const Contract extends Operation>(
  operation: Contract,
  answer: (call: Call<Contract>) => Promise<AnswerOf<Contract>> | AnswerOf<Contract>,
  { bodyLimitBytes: limitBytes = formLimitBytes, ...options }: RouteOptions = {},
): Route => {
  const { query, body, bodyLimitBytes = limitBytes, answer: schema, content, status = 200 }: Operation = operation
  const handle = async (exchange: Exchange, caller?: CallerOf<Contract['access']>): Promise<void> => {
    const call = {
      exchange,
      caller,
      params: exchange.params,
      query: query === undefined ? undefined : readQuery(exchange.request, query),
      body: body === undefined ? undefined : await readJson(exchange, bodyLimitBytes, body),
    }
    const answered = await answer(asCall<Contract>(call))
    if (schema !== undefined) sendJson(exchange, status, answered)
    else if (content === undefined) sendNothing(exchange)
  }
  return buildRoute(operation, handle, options)
}

/** The route of an operation whose handler reads what was sent and writes the answer itself, such as a stream. */
export const createHandledRoute = <const Contract extends Operation>(
  operation: Contract,
  { handle, ...options }: HandledOptions<Contract>,
): Route => buildRoute(operation, handle, options)

/** The routes of rows, each answered by the function that has its name. */
export const createOperationRoutes = <const Rows extends Operations>(
  operations: Rows,
  answers: Client<Rows>,
): Route[] =>
  Object.entries(operations).map(([id, operation]) => createRoute(operation, (call) => findAnswer(answers, id)(call)))

/** Sound because a row and what answers it have the same name. */
const findAnswer = <Rows extends Operations>(answers: Client<Rows>, id: string) =>
  answers[id] as (given: unknown) => Promise<unknown>

type Handle<Contract extends Operation> = (
  exchange: Exchange,
  caller: CallerOf<Contract['access']>,
) => Promise<void> | void

type HandledOptions<Contract extends Operation> = Pick<Route, 'style' | 'onError'> & { handle: Handle<Contract> }

/** Sound because the caller of a handler is the one that the access of its operation has. */
const buildRoute = <Contract extends Operation>(
  { method, path, except, access }: Contract,
  handle: Handle<Contract>,
  options: Pick<Route, 'style' | 'onError'>,
): Route => ({ method, path, ...(except === undefined ? {} : { except }), ...options, ...access, handle }) as Route

/** Sound because the router took the parameters from this path, and the schemas of the operation read query and body. */
const asCall = <Contract extends Operation>(
  call: {
    [Name in keyof Call<Contract>]: unknown
  },
): Call<Contract> => call as Call<Contract>
