import type { PauseReason, UpstreamKind } from '../config/upstream-names.ts'
import type { UpstreamPresetName } from '../config/upstream-presets.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamModel } from './contract.ts'
import { shownPause, type UpstreamHealth } from './pool/upstream-state.ts'
import type { UpstreamEntry } from './upstream-entry.ts'
import type { UpstreamTraffic } from './upstream-traffic.ts'

/** An upstream as operators see it: of its key only the end. */
export type UpstreamDescription = {
  name: string
  url: string
  source: UpstreamEntry['source']
  kind: UpstreamKind
  preset: UpstreamPresetName | null
  /** What else can be edited. */
  settings: EditableSettings
  isDraining: boolean
  /** `paused`: it gets no requests for a while. `failing`: the last check failed, and nothing was answered since. */
  state: 'active' | 'draining' | 'paused' | 'failing'
  /** Null unless it is paused. */
  pauseReason: PauseReason | null
  hasKey: boolean
  /** The last four characters; null if there is no key, or if it is so short that they would reveal much of it. */
  keyEnd: string | null
  models: readonly UpstreamModel[]
  /** Those that it does not serve, because others have their names. */
  clashes: readonly string[]
  /** False: they are read from its `/v1/models`. */
  areModelsNamed: boolean
  maxInFlight: number
  /** How many requests this server sends it at once: `maxInFlight`, or fewer while it has shown that these are too many. */
  limit: number
  inFlight: number
  /** Prompt and longest answer of every request in flight. */
  outstandingTokens: number
  /** Servers that use it, each with `maxInFlight` requests. */
  nodes: number
  /** Those among them that send it no requests for a while. */
  pausedNodes: number
  /** Requests and errors of the last five minutes. */
  recent: { requests: number; errors: number }
  /** The same of this server, since it has known the upstream. */
  total: { requests: number; errors: number }
  lastCheck: UpstreamEntry['lastCheck']
  /** Null before the first, and without canaries. */
  lastCanary: UpstreamEntry['lastCanary']
}

type EditableSettings = Pick<
  UpstreamSetting,
  | 'apiVersion'
  | 'features'
  | 'capabilities'
  | 'builtInTools'
  | 'price'
  | 'canary'
  | 'connectTimeoutMs'
  | 'firstByteTimeoutMs'
  | 'silenceTimeoutMs'
  | 'models'
>

const editableSettings = (setting: UpstreamSetting): EditableSettings => {
  const { apiVersion, features, capabilities, builtInTools, price, canary } = setting
  const { connectTimeoutMs, firstByteTimeoutMs, silenceTimeoutMs, models } = setting
  return {
    ...{ apiVersion, features, capabilities, builtInTools, price, canary, models },
    ...{ connectTimeoutMs, firstByteTimeoutMs, silenceTimeoutMs },
  }
}

const leastKeyLength = 16

export const describeUpstream = (
  { setting, source, isDraining, lastCheck, lastCanary }: UpstreamEntry,
  models: readonly UpstreamModel[],
  clashes: readonly string[],
  traffic: UpstreamTraffic | null,
  health: UpstreamHealth | null,
): UpstreamDescription => {
  const { name, url, kind, preset, key, maxInFlight } = setting
  const pauseReason = health === null ? null : shownPause(health)
  const isPaused = pauseReason !== null
  const describeState = (): UpstreamDescription['state'] => {
    if (isDraining) return 'draining'
    if (isPaused) return 'paused'
    const hasFailed = lastCheck !== null && lastCheck.problem !== null
    return hasFailed && (traffic?.answeredAt ?? 0) < lastCheck.at ? 'failing' : 'active'
  }
  return {
    ...{ name, url, source, kind, preset, isDraining },
    settings: editableSettings(setting),
    state: describeState(),
    pauseReason,
    hasKey: key !== null,
    keyEnd: key !== null && key.length >= leastKeyLength ? key.slice(-4) : null,
    models,
    clashes,
    areModelsNamed: setting.models !== null,
    maxInFlight,
    limit: Math.min(maxInFlight, health?.limit ?? maxInFlight),
    inFlight: traffic?.inFlight ?? 0,
    outstandingTokens: health?.outstandingTokens ?? 0,
    nodes: 1,
    pausedNodes: isPaused ? 1 : 0,
    recent: traffic?.recent ?? { requests: 0, errors: 0 },
    total: traffic?.total ?? { requests: 0, errors: 0 },
    lastCheck,
    lastCanary,
  }
}
