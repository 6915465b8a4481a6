import type { ListedNode } from '../nodes/node-lease.ts'
import { commandLine } from '../platform/actor-of.ts'
import type { upstreamBody, upstreamChanges } from '../platform/contract/upstreams.ts'
import { withClusterFigures } from '../upstreams/cluster-figures.ts'
import type { UpstreamDescription } from '../upstreams/describe-upstream.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'

export type UpstreamJson = {
  name: string
  url: string
  source: string
  kind: string
  draining: boolean
  state: string
  /** Null unless it is paused. */
  pause_reason: string | null
  /** The end of the key, or whether there is one. */
  key: string | null
  models: string[]
  /** Those among them that it does not serve, because others have their names. */
  models_taken: string[]
  models_named: boolean
  /** Of each node. */
  max_in_flight: number
  /** Servers of the cluster. All figures are those of all servers together. */
  nodes: number
  /** Servers that have paused it. */
  paused_nodes: number
  in_flight: number
  /** Prompts and longest answers of all requests in flight. */
  outstanding_tokens: number
  recent_requests: number
  recent_errors: number
  /** What was wrong at the last check, or at the canary that paused it; null if nothing was, or if there was none. */
  problem: string | null
}
type UpstreamCheckJson = {
  name: string
  problem: string | null
  model: string | null
  listed: readonly string[] | null
}
type DrainingJson = { name: string; draining: boolean; changed: boolean }

export interface UpstreamControl {
  listUpstreams(): Promise<{ data: UpstreamJson[] }>
  addUpstream(wanted: ReturnType<typeof upstreamBody>): Promise<UpstreamJson>
  editUpstream(name: string, changes: ReturnType<typeof upstreamChanges>): Promise<UpstreamJson>
  testUpstream(name: string): Promise<UpstreamCheckJson>
  drainUpstream(name: string): Promise<DrainingJson>
  resumeUpstream(name: string): Promise<DrainingJson>
  removeUpstream(name: string): Promise<{ name: string }>
}

/** `open`: on the command line the registry is opened only for these commands. */
export const createUpstreamControl = (
  open: () => Promise<UpstreamRegistry>,
  listNodes: () => Promise<ListedNode[]>,
): UpstreamControl => {
  const setDraining = async (name: string, draining: boolean): Promise<DrainingJson> => ({
    name,
    draining,
    changed: await (await open()).setDraining(commandLine, name, draining),
  })
  return {
    listUpstreams: async () => ({
      data: withClusterFigures((await open()).list(), await listNodes()).map(upstreamJson),
    }),
    addUpstream: async (wanted) => upstreamJson(await (await open()).add(commandLine, wanted)),
    editUpstream: async (name, changes) => upstreamJson(await (await open()).edit(commandLine, name, changes)),
    async testUpstream(name) {
      const { problem, model, listed } = await (await open()).check(name)
      return { name, problem: problem?.reason ?? null, model, listed }
    },
    drainUpstream: (name) => setDraining(name, true),
    resumeUpstream: (name) => setDraining(name, false),
    async removeUpstream(name) {
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
  max_in_flight: upstream.maxInFlight,
  nodes: upstream.nodes,
  paused_nodes: upstream.pausedNodes,
  in_flight: upstream.inFlight,
  outstanding_tokens: upstream.outstandingTokens,
  recent_requests: upstream.recent.requests,
  recent_errors: upstream.recent.errors,
  problem: problemOf(upstream)?.reason ?? null,
})

const problemOf = ({ pauseReason, lastCheck, lastCanary }: UpstreamDescription) =>
  (pauseReason === 'canary' ? lastCanary : lastCheck)?.problem
