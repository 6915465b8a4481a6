import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import type { Workers } from '../../src/serve/workers/workers.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { scriptModels } from './scripted-models.ts'
import { type Helix, type HelixOptions, startHelix } from './start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** Two workers, a scripted model of its own and an upstream that serves `big`. The clock is that of the main thread's upstreams. */
export const twoWorkers = (
  upstreamUrl: string,
  config: Partial<Config> = {},
  clock: Clock = systemClock,
): HelixOptions => {
  const set = createUpstreamSet({ clock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const upstream = readUpstream(
    // Tests count what the upstream is asked, and on a busy machine a start takes as long as it takes until an idle one is probed.
    { name: 'one', url: upstreamUrl, models: [{ name: 'big' }], maxInFlight: 600, probeIntervalMs: 0 },
    'one',
  )
  return {
    upstreams: set,
    config: { workers: 2, upstreams: [upstream], ...config },
    openModels: (loaded) => local.open(loaded, systemClock, set),
  }
}

/** A server with `twoWorkers`. */
export const startWithWorkers = async (
  upstreamUrl: string,
  config: Partial<Config> = {},
): Promise<Helix & { workers: Workers }> => {
  const helix = await startHelix(twoWorkers(upstreamUrl, config))
  const { workers } = helix.server
  if (workers === null) throw new Error('there are no workers')
  return { ...helix, workers }
}
