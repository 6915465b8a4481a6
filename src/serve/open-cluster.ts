import { openSecrets } from '../accounts/secrets/open-secrets.ts'
import { defaultOrigins } from '../config/setting-origin.ts'
import { openServerSettings } from '../settings/server-settings.ts'
import { ownFigures } from '../upstreams/cluster-figures.ts'
import { createUpstreamSet } from '../upstreams/upstream-set.ts'
import type { Closers } from './closers.ts'
import { createNodeIdentity } from './create-node-identity.ts'
import { openEngineNodes } from './open-engine-nodes.ts'
import { prepareLimiter } from './open-limiter.ts'
import { openNode } from './open-node.ts'
import type { Storage } from './open-storage.ts'
import { openUpstreams } from './open-upstreams.ts'
import { prepareWebhooks } from './open-webhooks.ts'
import type { ServeContext } from './serve-options.ts'

export type Cluster = Awaited<ReturnType<typeof openCluster>>

/** Another node notices within seconds. */
const dayMs = 86_400_000

export const openCluster = async (context: ServeContext, storage: Storage, closers: Closers) => {
  const { config, clock, log, leaseTimes: times, live, origins = defaultOrigins } = context
  const { directory, models, store, messages } = storage
  const secrets = await openSecrets({ config, directory, store, clock, log })
  // Before the parts that use them.
  const settings = await openServerSettings({
    ...{ live, origins, records: store.settings, seal: secrets.seal, clock, log },
    announce: () => messages?.publish('settings', []),
  })
  const webhooks = prepareWebhooks(context, store, closers)
  const limits = prepareLimiter({ closers, timeSource: context.limitsTimeSource, times })
  const identity = store.nodes === null ? null : createNodeIdentity()
  const set = context.upstreams ?? createUpstreamSet({ clock, log })
  const node = await openNode({
    upstreams: () => ownFigures(set),
    secretKeys: () => secrets.fingerprints(),
    checks: context.checks.latest,
    ...{ config, clock, log, store, models, closers, times, identity },
    address: context.localUrl,
    onLost() {
      context.stopAnswers()?.ofNode()
      context.workerLink.leaseLost()
    },
    async onNodeEnded(nodeId, name) {
      await limits.onNodeEnded(nodeId)
      const [data, until] = [{ node_id: nodeId, node: name }, clock.now() + dayMs]
      await webhooks.raise({ scope: null, type: 'node.lost', about: nodeId, until, data })
    },
  })
  const upstreams = await openUpstreams({
    ...{ config, clock, log, store, set, closers },
    seal: secrets.seal,
    onChanged: (resumed) => messages?.publish('upstreams', resumed === undefined ? [] : [resumed]),
  })
  if (identity !== null) await openEngineNodes({ node, identity, upstreams, messages, times, clock, log, closers })
  return { secrets, settings, limits, node, upstreams, upstreamSet: set, preparedWebhooks: webhooks }
}
