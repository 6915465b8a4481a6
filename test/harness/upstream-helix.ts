import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { scriptModels } from './scripted-models.ts'
import { type Helix, startHelix } from './start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A server with one scripted model of its own and these upstreams, which are added while it runs. */
export const startWithUpstreams = async (
  upstreams: readonly Record<string, unknown>[],
  config: Partial<Config> = {},
): Promise<Helix> => {
  const set = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({
    ...{ upstreams: set, config },
    openModels: (loaded: Config) => local.open(loaded, systemClock, set),
  })
  for (const upstream of upstreams) {
    const added = (await helix.control('POST', '/control/upstreams', upstream)) as { error?: object }
    if (added.error !== undefined) throw new Error(JSON.stringify(added.error))
  }
  return helix
}

/** POST to an endpoint of `/v1`, with the answer as JSON. */
export const postJson = async (helix: Helix, path: string, body: object) => {
  const response = await fetch(`${helix.baseUrl}${path}`, {
    ...{ method: 'POST', headers: helix.authorized, body: JSON.stringify(body) },
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as JsonAnswer }
}

type JsonAnswer = Record<string, unknown> & { error?: { code?: string; param?: string | null } }
