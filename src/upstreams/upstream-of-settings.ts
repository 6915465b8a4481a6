import type { Config } from '../config/settings.ts'
import type { Upstream } from './contract.ts'
import { defaultUpstream, defaultUpstreamModel } from './default-upstream.ts'

type ShorthandSettings = Pick<
  Config,
  | 'upstreamUrl'
  | 'upstreamModel'
  | 'upstreamKey'
  | 'upstreamKind'
  | 'upstreamFeatures'
  | 'modelName'
  | 'contextTokens'
  | 'engineSlots'
>

/** `upstreamUrl` and the settings beside it are shorthand for an upstream with one model; null if they are not set. */
export const upstreamOfSettings = (config: ShorthandSettings): Upstream | null => {
  const { upstreamUrl, upstreamModel } = config
  if (upstreamUrl === null || upstreamModel === null) return null
  const { modelName, contextTokens } = config
  return {
    ...defaultUpstream,
    name: 'upstream',
    baseUrl: upstreamUrl,
    key: config.upstreamKey,
    kind: config.upstreamKind,
    fields: config.upstreamFeatures,
    maxInFlight: config.engineSlots,
    models: [{ ...defaultUpstreamModel, name: modelName ?? upstreamModel, upstreamName: upstreamModel, contextTokens }],
  }
}
