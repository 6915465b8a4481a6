import { toAuditActor } from '../../accounts/actor.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { NodeLease } from '../../nodes/node-lease.ts'
import type { Person } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { withClusterFigures } from '../../upstreams/cluster-figures.ts'
import type { UpstreamDescription } from '../../upstreams/describe-upstream.ts'
import type { UpstreamRegistry } from '../../upstreams/upstream-registry.ts'
import { type UpstreamShown, upstreamOperations } from '../contract/upstreams.ts'
import { createActor } from '../create-actor.ts'
import { previewImport, readImported } from './read-import.ts'
import { createUpstreamFigures, type UpstreamFiguresDependencies } from './upstream-figures.ts'

/** The upstreams, for the owner of the server. */
export const createUpstreamRoutes = (
  upstreams: UpstreamRegistry,
  node: Pick<NodeLease, 'list'>,
  figures: UpstreamFiguresDependencies,
): Route[] => {
  const by = ({ exchange, caller }: { exchange: Exchange; caller: Person }) =>
    toAuditActor(createActor(exchange, caller))
  const readFigures = createUpstreamFigures(figures)
  return [
    createRoute(upstreamOperations.listUpstreams, async () => ({
      data: withClusterFigures(upstreams.list(), await node.list()).map(upstreamJson),
    })),
    createRoute(upstreamOperations.showUpstreamFigures, ({ query: { period = 'day' } }) => readFigures(period)),
    createRoute(upstreamOperations.addUpstream, async (call) => upstreamJson(await upstreams.add(by(call), call.body))),
    createRoute(upstreamOperations.editUpstream, async (call) =>
      upstreamJson(await upstreams.edit(by(call), call.params.name, call.body)),
    ),
    createRoute(upstreamOperations.tryUpstream, async ({ body }) => {
      const { problem, listed, model } = await upstreams.tryOut(body.upstream, body.edited)
      return { problem, listed: listed === null ? null : [...listed], model }
    }),
    createRoute(upstreamOperations.previewImport, ({ body }) => previewImport(body.config, figures.currency)),
    createRoute(upstreamOperations.importUpstream, async (call) => {
      const wanted = await readImported(call.body, figures.currency)
      const { problem } = call.body.skipsTest === true ? { problem: null } : await upstreams.tryOut(wanted, null)
      // Whoever has left during the test does not want it any more.
      call.exchange.signal.throwIfAborted()
      if (problem === null) await upstreams.add(by(call), wanted)
      return { problem }
    }),
    createRoute(upstreamOperations.testUpstream, async ({ params }) => {
      const { problem, listed, model } = await upstreams.check(params.name)
      return { problem, listed: listed === null ? null : [...listed], model }
    }),
    createRoute(upstreamOperations.drainUpstream, (call) => upstreams.setDraining(by(call), call.params.name, true)),
    createRoute(upstreamOperations.resumeUpstream, (call) => upstreams.setDraining(by(call), call.params.name, false)),
    createRoute(upstreamOperations.removeUpstream, (call) => upstreams.remove(by(call), call.params.name)),
  ]
}

const upstreamJson = ({ models, clashes, settings, total: _, ...rest }: UpstreamDescription): UpstreamShown => ({
  ...rest,
  settings: settingsJson(settings),
  clashes: [...clashes],
  models: models.map(({ name, upstreamName, kind, aliases, weight, contextTokens, price, priceDate }) => ({
    ...{ name, upstreamName, kind, aliases: [...aliases], weight, contextTokens, price, priceDate },
  })),
})

const settingsJson = ({
  models,
  features,
  capabilities,
  builtInTools,
  ...rest
}: UpstreamDescription['settings']): UpstreamShown['settings'] => ({
  ...rest,
  features: [...features],
  capabilities: [...capabilities],
  builtInTools: [...builtInTools],
  models:
    models?.map(({ default: _, vectorLength: _length, aliases, capabilities: own, ...model }) => ({
      ...model,
      aliases: [...aliases],
      capabilities: own === null ? null : [...own],
    })) ?? null,
})
