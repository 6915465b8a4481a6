import { ServerResponse } from 'node:http'
import type { SeenBody } from './validate-body.ts'

/**
 * Checks every answer that the server sends in a test, to any client, against our OpenAPI documents. It intercepts
 * answers as they leave the process, so no test can forget the check.
 */
const seen: SeenBody[] = []
/** A stress test's stream is checked up to this limit. */
const maxEvents = 500
const events = new WeakMap<ServerResponse, number>()
/** What was written of long documents that are not complete yet. */
const begun = new WeakMap<ServerResponse, Buffer[]>()

const record = (response: ServerResponse, chunk: unknown): void => {
  const isOurs = String(response.getHeader('x-request-id') ?? '').startsWith('req_')
  const { method = '', url = '' } = response.req
  if (!isOurs || method === 'HEAD' || method === 'OPTIONS') return
  const piece = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0)
  // The end of a stream, or of an answer written in pieces.
  if (piece.length === 0 && (response.statusCode !== 204 || events.has(response))) return
  const body = wholeBody(response, piece)
  if (body === null) return
  const count = (events.get(response) ?? 0) + 1
  events.set(response, count)
  if (count > maxEvents) return
  const head = headOf(response)
  if (head.includes('text/html')) return
  const headerOf = (name: string) => new RegExp(`^${name}: ([^;\\r]+)`, 'im').exec(head)?.[1] ?? ''
  seen.push({
    method,
    target: url,
    status: response.statusCode,
    body,
    type: headerOf('content-type'),
    encoding: headerOf('content-encoding'),
  })
}

/** Null while there is less of it than its head says. */
const wholeBody = (response: ServerResponse, piece: Buffer): Buffer | null => {
  const declared = /^content-length: (\d+)/im.exec(headOf(response))?.[1]
  if (declared === undefined) return piece
  const pieces = [...(begun.get(response) ?? []), piece]
  begun.set(response, pieces)
  const body = Buffer.concat(pieces)
  return body.length < Number(declared) ? null : body
}

/** `getHeader` does not return headers passed to `writeHead`. */
const headOf = (response: ServerResponse): string => String(Reflect.get(response, '_header') ?? '')

const { write, end } = ServerResponse.prototype
ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
  record(this, args[0])
  return Reflect.apply(write, this, args)
}
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  record(this, args[0])
  return Reflect.apply(end, this, args)
}

export const checkSeenBodies = async (): Promise<void> => {
  if (seen.length === 0) return
  const { validateBody } = await import('./validate-body.ts')
  const errors = seen.splice(0).flatMap(validateBody)
  if (errors.length > 0)
    throw new Error(`An answer is not as the OpenAPI document says:\n${errors.slice(0, 3).join('\n')}`)
}
