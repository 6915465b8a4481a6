import type { Schema } from '../http/schema/schema.ts'
import type { AnswerOf, Input } from './call.ts'
import type { Operation, Operations } from './operation.ts'

/** What a call of the operation is given: only the parts that the row has. */
export type Given<Contract extends Operation> = Pick<Input<Contract>, PartsOf<Contract>>
type PartsOf<Contract extends Operation> =
  | (Contract['path'] extends `${string}{${string}` ? 'params' : never)
  | (Contract extends { query: Schema<unknown> } ? 'query' : never)
  | (Contract extends { body: Schema<unknown> } ? 'body' : never)

/** One function for each operation: what runs it, or what calls a server that does. */
export type Client<Rows extends Operations> = {
  [Id in keyof Rows]: (
    ...given: PartsOf<Rows[Id]> extends never ? [] : [given: Given<Rows[Id]>]
  ) => Promise<AnswerOf<Rows[Id]>>
}

/** A request for an operation, as it is sent. */
export type OperationRequest = { method: Operation['method']; path: string; body?: unknown }

export type AnyGiven = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** Calls operations by their rows. `send` returns the JSON of the answer, whose form is trusted. */
export const createClient = <Rows extends Operations>(
  operations: Rows,
  send: (request: OperationRequest) => Promise<unknown>,
): Client<Rows> => {
  const calls = Object.entries(operations).map(([id, operation]) => [
    id,
    (given: AnyGiven = {}) => send(buildRequest(operation, given)),
  ])
  return asClient<Rows>(Object.fromEntries(calls))
}

export const buildRequest = (
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { params = {}, query, body }: AnyGiven,
): OperationRequest => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`
  return { method, path: filled + search, ...(body === undefined ? {} : { body }) }
}

/** Sound because there is a function for each row, and the server answers as the row says. */
const asClient = <Rows extends Operations>(calls: Record<string, unknown>): Client<Rows> => calls as Client<Rows>
