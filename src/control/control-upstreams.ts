import { array, nullable, object } from '../http/schema/containers.ts'
import { boolean, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { upstreamBody, upstreamChanges } from '../platform/contract/upstreams.ts'
import { commandLine } from '../platform/create-actor.ts'
import { withClusterFigures } from '../upstreams/cluster-figures.ts'
import type { UpstreamDescription } from '../upstreams/describe-upstream.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { count, get, post, socket } from './operation.ts'

const upstream = object({
  name: string(),
  url: string(),
  source: string(),
  kind: string(),
  draining: boolean,
  state: string(),
  pause_reason: described('Null unless it is paused.', nullable(string())),
  key: described('The end of the key; null without one.', nullable(string())),
  models: array(string()),
  models_taken: described('Those that it does not serve, because others have their names.', array(string())),
  models_named: boolean,
  price_date: described(
    'When the prices of the provider were read; null if none of its models has one.',
    nullable(string()),
  ),
  max_in_flight: described('Of each node.', count),
  nodes: described('Servers of the cluster. All figures are those of all servers together.', count),
  paused_nodes: described('Servers that have paused it.', count),
  in_flight: count,
  outstanding_tokens: described('Prompts and longest answers of all requests in flight.', count),
  recent_requests: count,
  recent_errors: count,
  problem: described(
    'What was wrong at the last check, or at the canary that paused it; null if nothing was, or if there was none.',
    nullable(string()),
  ),
})
export type UpstreamJson = Shape<typeof upstream>

const check = object({
  name: string(),
  problem: nullable(string()),
  model: nullable(string()),
  listed: nullable(array(string())),
})
const draining = object({ name: string(), draining: boolean, changed: boolean })

/** `subject` is the name of an upstream. */
export const upstreamOperations = {
  listUpstreams: get('/upstreams', socket, 'Lists the upstreams.', { answer: object({ data: array(upstream) }) }),
  addUpstream: post('/upstreams', socket, 'Adds an upstream.', { body: upstreamBody, answer: upstream, status: 201 }),
  editUpstream: post('/upstreams/{subject}/edit', socket, 'Changes an upstream that was added, and ends a pause.', {
    body: upstreamChanges,
    answer: upstream,
  }),
  testUpstream: post('/upstreams/{subject}/test', socket, 'Reads its models and generates a few tokens.', {
    answer: check,
  }),
  drainUpstream: post('/upstreams/{subject}/drain', socket, 'Sends it no new requests.', { answer: draining }),
  resumeUpstream: post('/upstreams/{subject}/resume', socket, 'Sends it requests again.', { answer: draining }),
  removeUpstream: post('/upstreams/{subject}/remove', socket, 'Removes an upstream.', {
    answer: object({ name: string() }),
  }),
}

/** `open`: on the command line the registry is opened only for these commands. */
export const createUpstreamControl = (
  open: () => Promise<UpstreamRegistry>,
  listNodes: () => Promise<ListedNode[]>,
): Client<typeof upstreamOperations> => {
  const setDraining = async (name: string, isDraining: boolean): Promise<Shape<typeof draining>> => ({
    name,
    draining: isDraining,
    changed: await (await open()).setDraining(commandLine, name, isDraining),
  })
  return {
    listUpstreams: async () => ({
      data: withClusterFigures((await open()).list(), await listNodes()).map(upstreamJson),
    }),
    addUpstream: async ({ body }) => upstreamJson(await (await open()).add(commandLine, body)),
    editUpstream: async ({ params: { subject }, body }) =>
      upstreamJson(await (await open()).edit(commandLine, subject, body)),
    async testUpstream({ params: { subject: name } }) {
      const { problem, model, listed } = await (await open()).check(name)
      return { name, problem: problem?.reason ?? null, model, listed }
    },
    drainUpstream: ({ params: { subject } }) => setDraining(subject, true),
    resumeUpstream: ({ params: { subject } }) => setDraining(subject, false),
    async removeUpstream({ params: { subject: name } }) {
      await (await open()).remove(commandLine, name)
      return { name }
    },
  }
}

const upstreamJson = (upstream: UpstreamDescription): UpstreamJson => ({
  name: upstream.name,
  url: upstream.url,
  source: upstream.source,
  kind: upstream.kind,
  draining: upstream.isDraining,
  state: upstream.state,
  pause_reason: upstream.pauseReason,
  key: upstream.hasKey ? `…${upstream.keyEnd ?? ''}` : null,
  models: upstream.models.map(({ name }) => name),
  models_taken: [...upstream.clashes],
  models_named: upstream.areModelsNamed,
  price_date: upstream.models.find(({ priceDate }) => priceDate !== null)?.priceDate ?? null,
  max_in_flight: upstream.maxInFlight,
  nodes: upstream.nodes,
  paused_nodes: upstream.pausedNodes,
  in_flight: upstream.inFlight,
  outstanding_tokens: upstream.outstandingTokens,
  recent_requests: upstream.recent.requests,
  recent_errors: upstream.recent.errors,
  problem: findProblem(upstream)?.reason ?? null,
})

const findProblem = ({ pauseReason, lastCheck, lastCanary }: UpstreamDescription) =>
  (pauseReason === 'canary' ? lastCanary : lastCheck)?.problem
