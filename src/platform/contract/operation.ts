/**
 * The contract of `/platform`: what each route reads and answers. The routes, the OpenAPI document and the types of the site
 * come from here. The site imports types from this folder, so a file here must not import server code other than schemas
 * and constants.
 */
import type { JsonSchema, Schema } from '../../http/schema/schema.ts'
import type { Role } from '../../store/team-contract.ts'

/** See `Route` for what each of these means. */
type Access =
  | { access: 'anyone' | 'visitor'; role?: never }
  | { access: 'session'; role?: never }
  | { access: 'owner'; role?: never }
  | { access: 'session'; role: Role }

type Parts = {
  query?: Schema<unknown>
  body?: Schema<unknown>
  /** For bodies that are no small forms. */
  bodyLimitBytes?: number
  /** The JSON of the answer. Without it, and without `content`, the answer is a 204. */
  answer?: Schema<unknown>
  status?: 200 | 201
  /** By media type, for answers that the handler writes itself: a file, or a stream. */
  content?: Readonly<Record<string, JsonSchema>>
}

export type Operation = Parts & { method: 'GET' | 'POST'; path: string; access: Access; summary: string }

/** Those of one part of the API, by their `operationId`. */
export type Operations = Readonly<Record<string, Operation>>

export const anyone = { access: 'anyone' } as const
export const visitor = { access: 'visitor' } as const
export const session = { access: 'session' } as const
export const owner = { access: 'owner' } as const
/** A member of the organisation that the session is for, with the role that the ability requires. */
export const member = <const Least extends Role>({ least }: { least: Least }) =>
  ({ access: 'session', role: least }) as const

const operation =
  <const Method extends 'GET' | 'POST'>(method: Method) =>
  <const Path extends string, Who extends Access, Contents extends Parts>(
    path: Path,
    access: Who,
    summary: string,
    parts: Contents,
  ) => ({ method, path: `/platform${path}` as const, access, summary, ...parts })

export const get = operation('GET')
export const post = operation('POST')
