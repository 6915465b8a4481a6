import { ServerResponse } from 'node:http'
import type { SeenBody } from './validate-body.ts'

/**
 * Whatever the server answers in a test, to whichever client, is held against our OpenAPI document. The answers are taken
 * where they leave the process, so no test can forget it.
 */
const seen: SeenBody[] = []
/** A stream of a stress test is looked at up to here. */
const mostEvents = 500
const events = new WeakMap<ServerResponse, number>()

const note = (response: ServerResponse, chunk: unknown): void => {
  const isOurs = String(response.getHeader('x-request-id') ?? '').startsWith('req_')
  if (!isOurs || headOf(response).includes('text/html')) return
  if (response.req.method === 'HEAD' || (typeof chunk !== 'string' && !Buffer.isBuffer(chunk))) return
  const count = (events.get(response) ?? 0) + 1
  events.set(response, count)
  if (count > mostEvents) return
  seen.push({
    method: response.req.method ?? '',
    target: response.req.url ?? '',
    status: response.statusCode,
    text: chunk.toString(),
    isStream: headOf(response).includes('text/event-stream'),
  })
}

/** Headers that were given with `writeHead` are not to be had from `getHeader`. */
const headOf = (response: ServerResponse): string => String(Reflect.get(response, '_header') ?? '')

const { write, end } = ServerResponse.prototype
ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
  note(this, args[0])
  return Reflect.apply(write, this, args)
}
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  note(this, args[0])
  return Reflect.apply(end, this, args)
}

export const checkSeenBodies = async (): Promise<void> => {
  if (seen.length === 0) return
  const { validateBody } = await import('./validate-body.ts')
  const errors = seen.splice(0).flatMap(validateBody)
  if (errors.length > 0)
    throw new Error(`An answer is not as the OpenAPI document says:\n${errors.slice(0, 3).join('\n')}`)
}
