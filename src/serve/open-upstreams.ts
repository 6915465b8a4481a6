import type { Seal } from '../accounts/secrets/seal.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { Store } from '../store/contract.ts'
import { openUpstreamChecks } from '../upstreams/checks/upstream-checks.ts'
import { configuredUpstreams } from '../upstreams/configured-upstreams.ts'
import { openHostedPrices } from '../upstreams/hosted-prices.ts'
import { openUpstreamRegistry, type UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { UpstreamSet } from '../upstreams/upstream-set.ts'
import type { Closers } from './closers.ts'

type UpstreamsDependencies = {
  config: Config
  clock: Clock
  log: Log
  store: Pick<Store, 'upstreams'>
  seal: Seal
  set: UpstreamSet
  /** The list was changed here, or the pause of an upstream was ended. */
  onChanged(resumed?: string): void
  closers: Closers
}

/** How often upstreams whose models are not named are asked for them. */
const readModelsMs = 300_000

/** The upstreams of the settings and of the store. */
export const openUpstreams = async (dependencies: UpstreamsDependencies): Promise<UpstreamRegistry> => {
  const { config, clock, log, store, seal, set, onChanged, closers } = dependencies
  const registry = await openUpstreamRegistry({
    configured: configuredUpstreams(config),
    records: store.upstreams,
    hostedPrices: await openHostedPrices(config.hostedPrices, config.currency),
    ...{ seal, set, clock, log, onChanged },
  })
  const reading = openPeriodicTask(() => registry.readModels(), clock, readModelsMs)
  closers.add(() => reading.close())
  const checks = openUpstreamChecks({ set, onCanary: registry.reportCanary, clock, log })
  closers.add(async () => checks.close())
  return registry
}
