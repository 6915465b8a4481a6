import type { ListedNode, UpstreamFigures } from '../nodes/node-lease.ts'
import { leaseTimes } from '../nodes/open-node-lease.ts'
import type { UpstreamDescription } from './describe-upstream.ts'
import { shownPause } from './pool/upstream-state.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** What this node tells the others about the upstreams it uses. Those with nothing to tell are left out. */
export const ownFigures = (set: UpstreamSet): UpstreamFigures[] =>
  set.list().flatMap(({ name }) => {
    const { inFlight = 0, recent = { requests: 0, errors: 0 } } = set.trafficOf(name) ?? {}
    const health = set.stateOf(name)?.health()
    const pauseReason = health === undefined ? null : shownPause(health)
    const outstandingTokens = health?.outstandingTokens ?? 0
    if (inFlight + recent.requests + outstandingTokens === 0 && pauseReason === null) return []
    return [{ name, inFlight, ...recent, outstandingTokens, pauseReason }]
  })

/** Upstreams with the figures of all servers of the cluster: those of others are as old as their last heartbeat. */
export const withClusterFigures = (
  upstreams: readonly UpstreamDescription[],
  nodes: readonly ListedNode[],
): UpstreamDescription[] => {
  const servers = nodes.filter(({ kind, seenMsAgo }) => kind === 'server' && seenMsAgo < leaseTimes.leaseMs)
  const others = servers.filter(({ isOwn }) => !isOwn).flatMap(({ status }) => status?.upstreams ?? [])
  return upstreams.map((upstream) =>
    others
      .filter(({ name }) => name === upstream.name)
      .reduce(withFigures, { ...upstream, nodes: Math.max(1, servers.length) }),
  )
}

const withFigures = (upstream: UpstreamDescription, other: UpstreamFigures): UpstreamDescription => {
  const { recent, state } = upstream
  const pauseReason = upstream.pauseReason ?? other.pauseReason
  return {
    ...upstream,
    inFlight: upstream.inFlight + other.inFlight,
    outstandingTokens: upstream.outstandingTokens + other.outstandingTokens,
    recent: { requests: recent.requests + other.requests, errors: recent.errors + other.errors },
    pausedNodes: upstream.pausedNodes + (other.pauseReason === null ? 0 : 1),
    pauseReason,
    state: state === 'draining' || pauseReason === null ? state : 'paused',
  }
}
