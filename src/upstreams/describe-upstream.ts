import type { UpstreamKind } from '../config/upstream-names.ts'
import type { UpstreamModel } from './contract.ts'
import type { UpstreamEntry } from './upstream-entry.ts'
import type { UpstreamTraffic } from './upstream-traffic.ts'

/** An upstream as operators see it: of its key only the end. */
export type UpstreamDescription = {
  name: string
  url: string
  source: UpstreamEntry['source']
  kind: UpstreamKind
  isDraining: boolean
  hasKey: boolean
  /** The last four characters; null if there is no key, or if it is so short that they would reveal much of it. */
  keyEnd: string | null
  models: readonly UpstreamModel[]
  /** False: they are read from its `/v1/models`. */
  areModelsNamed: boolean
  maxInFlight: number
  inFlight: number
  /** Requests and errors of the last five minutes. */
  recent: { requests: number; errors: number }
  lastCheck: UpstreamEntry['lastCheck']
}

const leastKeyLength = 16

export const describeUpstream = (
  { setting, source, isDraining, lastCheck }: UpstreamEntry,
  models: readonly UpstreamModel[],
  traffic: UpstreamTraffic | null,
): UpstreamDescription => {
  const { name, url, kind, key, maxInFlight } = setting
  return {
    ...{ name, url, source, kind, isDraining },
    hasKey: key !== null,
    keyEnd: key !== null && key.length >= leastKeyLength ? key.slice(-4) : null,
    models,
    areModelsNamed: setting.models !== null,
    maxInFlight,
    inFlight: traffic?.inFlight ?? 0,
    recent: traffic?.recent ?? { requests: 0, errors: 0 },
    lastCheck,
  }
}
