import type { Exchange } from '../http/exchange.ts'
import { readJson } from '../http/read-json.ts'
import { readQuery } from '../http/read-query.ts'
import { sendJson } from '../http/respond.ts'
import type { Route } from '../http/route.ts'
import { object, optional } from '../http/schema/containers.ts'
import { oneOf, string } from '../http/schema/scalars.ts'
import type { Schema } from '../http/schema/schema.ts'
import { formLimitBytes as bodyLimitBytes } from '../operations/form-limit-bytes.ts'
import { newKeyBody, rotateBody } from '../platform/contract/keys.ts'
import { limitsBody } from '../platform/contract/limits.ts'
import { upstreamBody, upstreamChanges } from '../platform/contract/upstreams.ts'
import { suspendedThings } from '../store/suspension-contract.ts'
import { usageGroups } from '../usage/summarise.ts'
import type { Control } from './control.ts'

const control = '/control'

/** Routes for the command line. They exist only on the socket in the data directory. */
export const createControlRoutes = (act: Control): Route[] => [
  post(`${control}/keys`, newKeyBody, (wanted) => act.createKey(wanted), 201),
  get(`${control}/keys`, () => act.listKeys()),
  bare(`${control}/keys/{subject}/revoke`, (key) => act.revokeKey(key)),
  post(`${control}/keys/{subject}/rotate`, rotateBody, (rotation, key) => act.rotateKey(key, rotation)),
  get(`${control}/limits/{subject}`, (subject) => act.showLimits(subject)),
  post(`${control}/limits/{subject}`, limitsBody, (limits, subject) => act.setLimits(subject, limits)),
  get(`${control}/organisations`, () => act.listOrganisations()),
  ...suspendedThings.flatMap((thing) => [
    bare(`${control}/${thing}s/{subject}/suspend`, (subject) => act.suspend(thing, subject)),
    bare(`${control}/${thing}s/{subject}/resume`, (subject) => act.resume(thing, subject)),
  ]),
  get(`${control}/upstreams`, () => act.listUpstreams()),
  post(`${control}/upstreams`, upstreamBody, (wanted) => act.addUpstream(wanted), 201),
  post(`${control}/upstreams/{subject}/edit`, upstreamChanges, (changes, name) => act.editUpstream(name, changes)),
  bare(`${control}/upstreams/{subject}/test`, (name) => act.testUpstream(name)),
  bare(`${control}/upstreams/{subject}/drain`, (name) => act.drainUpstream(name)),
  bare(`${control}/upstreams/{subject}/resume`, (name) => act.resumeUpstream(name)),
  bare(`${control}/upstreams/{subject}/remove`, (name) => act.removeUpstream(name)),
  get(`${control}/nodes`, () => act.listNodes()),
  get(`${control}/usage`, (_, { request }) => act.showUsage(readQuery(request, usageQuery))),
  get(`${control}/usage/verification`, () => act.verifyUsage()),
]

const usageQuery = object({ from: optional(string()), to: optional(string()), by: optional(oneOf(...usageGroups)) })

const subjectOf = ({ params }: Exchange): string => params.subject ?? ''

const get = (path: string, answer: (subject: string, exchange: Exchange) => Promise<unknown>): Route => ({
  method: 'GET',
  path,
  access: 'socket',
  handle: async (exchange) => sendJson(exchange, 200, await answer(subjectOf(exchange), exchange)),
})

const bare = (path: string, act: (subject: string) => Promise<unknown>): Route => ({
  method: 'POST',
  path,
  access: 'socket',
  handle: async (exchange) => sendJson(exchange, 200, await act(subjectOf(exchange))),
})

const post = <Body>(
  path: string,
  body: Schema<Body>,
  act: (body: Body, subject: string) => Promise<unknown>,
  status = 200,
): Route => ({
  method: 'POST',
  path,
  access: 'socket',
  handle: async (exchange) => {
    const read = await readJson(exchange, bodyLimitBytes, body)
    sendJson(exchange, status, await act(read, subjectOf(exchange)))
  },
})
