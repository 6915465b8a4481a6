/**
 * One operation of an API, declared once: method, path, who may call it, and what it reads and answers. Its route, its part of
 * an OpenAPI document and the types of its callers come from this row:
 *
 *     const { get } = operationsUnder('/platform')
 *     const nodeOperations = {
 *       listNodes: get('/nodes', owner, 'Lists the nodes.', { answer: object({ data: array(node) }) }),
 *     }
 *     const route = createRoute(nodeOperations.listNodes, async () => ({ data: await listNodes() }))
 *
 * The site imports rows, so this folder imports nothing that does the server's work at run time, except in `create-route.ts`.
 */
import type { JsonSchema, Schema } from '../http/schema/schema.ts'
import type { AccessScope } from '../store/contract.ts'
import type { Role } from '../store/team-contract.ts'

/** See `Route` for what each of these means. */
export type Access =
  | { access: 'anyone' | 'visitor' | 'session' | 'owner' | 'socket'; role?: never }
  | { access: 'session'; role: Role }
  | { access: 'key'; scope: AccessScope | 'any'; role?: never }

/** A request header with an effect, in addition to those of every request. */
export type OperationHeader = { name: string; description: string; json: JsonSchema }

export type OperationParts = {
  /** Paths that look like this one with a name, and are not: other endpoints of the API that do not exist here. */
  except?: readonly string[]
  headers?: readonly OperationHeader[]
  query?: Schema<unknown>
  body?: Schema<unknown>
  /** The body is for a model: unknown fields of it are left out, unless requests are strict. */
  isForModel?: true
  /** For bodies that are no small forms. */
  bodyLimitBytes?: number
  /** The JSON of the answer. Without it, and without `content`, the answer is a 204. */
  answer?: Schema<unknown>
  /** In the form of another API, which a header selects. */
  otherAnswer?: Schema<unknown>
  status?: 200 | 201
  /** If the answer can be server-sent events instead: one event. */
  event?: Schema<unknown>
  /** By media type, for answers that the handler writes itself: a file, or a stream. */
  content?: Readonly<Record<string, JsonSchema>>
  /** Errors, if they have another form than elsewhere. */
  error?: Schema<unknown>
}

type Method = 'GET' | 'POST' | 'DELETE'

export type Operation = OperationParts & { method: Method; path: string; access: Access; summary: string }

/** Those of one part of an API, by their `operationId`. */
export type Operations = Readonly<Record<string, Operation>>

/** The functions that declare the operations of one API, which have a prefix in common. */
export const operationsUnder = <const Prefix extends string>(prefix: Prefix) => {
  const operation =
    <const M extends Method>(method: M) =>
    <const Path extends string, const Who extends Access, Parts extends OperationParts>(
      path: Path,
      access: Who,
      summary: string,
      parts: Parts,
    ) => ({ method, path: `${prefix}${path}` as const, access, summary, ...parts })
  return { get: operation('GET'), post: operation('POST'), remove: operation('DELETE') }
}
