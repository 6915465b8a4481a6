import type { Exchange } from '../http/exchange.ts'
import { readJson } from '../http/read-json.ts'
import { readQuery } from '../http/read-query.ts'
import { sendJson, sendNothing } from '../http/respond.ts'
import type { Member, Person, Route } from '../http/route.ts'
import type { Schema } from '../http/schema/schema.ts'
import { bodyLimitBytes as formLimitBytes } from './body-limit.ts'
import type { Operation } from './contract/operation.ts'
import type { Shape } from './contract/shape.ts'

type Read<Part> = Part extends Schema<infer Value> ? Value : undefined
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type CallerOf<Access> = Access extends { role: string }
  ? Member
  : Access extends { access: 'session' | 'owner' }
    ? Person
    : undefined
/** Where the contract has no answer, whatever is returned is dropped. */
type AnswerOf<Contract> = Contract extends { answer: Schema<unknown> } ? Shape<Contract['answer']> : unknown

/** One call of an operation, with everything that was sent already checked. */
export type Call<Contract extends Operation> = {
  exchange: Exchange
  caller: CallerOf<Contract['access']>
  params: Record<NamesIn<Contract['path']>, string>
  query: Contract extends { query: infer Query } ? Read<Query> : undefined
  body: Contract extends { body: infer Body } ? Read<Body> : undefined
}

/** The route of an operation of the contract. `answer` returns what the contract says; the rest happens here. */
export const createRoute = <const Contract extends Operation>(
  operation: Contract,
  answer: (call: Call<Contract>) => Promise<AnswerOf<Contract>> | AnswerOf<Contract>,
): Route => {
  const { method, path, access, query, body, answer: schema, content, status = 200 }: Operation = operation
  const { bodyLimitBytes = formLimitBytes }: Operation = operation
  const handle = async (exchange: Exchange, caller?: Person): Promise<void> => {
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
  return { method, path, handle, ...access }
}

/** Sound because the router took the parameters from this path, and the schemas of the contract read query and body. */
const asCall = <Contract extends Operation>(
  call: {
    [Name in keyof Call<Contract>]: unknown
  },
): Call<Contract> => call as Call<Contract>
