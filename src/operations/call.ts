import type { Exchange } from '../http/exchange.ts'
import type { Schema } from '../http/schema/schema.ts'
import type { KeyCaller, Member, Person } from './callers.ts'
import type { Operation } from './operation.ts'
import type { Shape } from './shape.ts'

type Read<Part> = Part extends Schema<infer Value> ? Value : undefined
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
export type CallerOf<Access> = Access extends { role: string }
  ? Member
  : Access extends { access: 'session' | 'owner' }
    ? Person
    : Access extends { access: 'key' }
      ? KeyCaller
      : undefined

/** What is sent with a call of an operation, once it is checked. */
export type Input<Contract extends Operation> = {
  params: Record<NamesIn<Contract['path']>, string>
  query: Contract extends { query: infer Query } ? Read<Query> : undefined
  body: Contract extends { body: infer Body } ? Read<Body> : undefined
}

/** One call of an operation, with everything that was sent already checked. */
export type Call<Contract extends Operation> = Input<Contract> & {
  exchange: Exchange
  caller: CallerOf<Contract['access']>
}

/** What the operation answers. Where the row has no answer, whatever is returned is dropped. */
export type AnswerOf<Contract> = Contract extends { answer: Schema<unknown> }
  ? Shape<Contract['answer']> | OtherAnswerOf<Contract>
  : unknown
type OtherAnswerOf<Contract> = Contract extends { otherAnswer: Schema<unknown> }
  ? Shape<Contract['otherAnswer']>
  : never
