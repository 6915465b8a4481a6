import type { JsonSchema, Schema } from '../../http/schema/schema.ts'

/** An operation with its request and response schemas. */
export type Operation = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  id: string
  summary: string
  /** Headers with an effect, in addition to those of every request. */
  headers?: readonly { name: string; description: string; json: JsonSchema }[]
  query?: Schema<unknown>
  /** `isForModel`: unknown fields of it are left out, unless requests are strict. */
  body?: { name: string; schema: Schema<unknown>; isForModel?: true }
  answer: { name: string; json: JsonSchema }
  /** In the form of another API, which a header selects. */
  otherAnswer?: { name: string; json: JsonSchema }
  /** If the response can be server-sent events: the schema of one event. */
  event?: { name: string; json: JsonSchema }
  /** Errors, if they have another form than elsewhere. */
  error?: { name: string; json: JsonSchema }
  needsKey: boolean
}
