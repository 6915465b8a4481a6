import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { readUpstream, type UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamSet } from './upstream-set.ts'

type UpstreamSettings = Pick<
  Config,
  | 'upstreams'
  | 'upstreamUrl'
  | 'upstreamModel'
  | 'upstreamKey'
  | 'upstreamKind'
  | 'upstreamFeatures'
  | 'upstreamCapabilities'
  | 'modelName'
  | 'contextTokens'
  | 'engineSlots'
>

/** The upstreams of the settings. `upstreamUrl` and the settings beside it are shorthand for the first, with one model. */
export const configuredUpstreams = (config: UpstreamSettings): readonly UpstreamSetting[] => {
  const { upstreamUrl, upstreamModel } = config
  if (upstreamUrl === null || upstreamModel === null) return config.upstreams
  const { modelName, contextTokens } = config
  const shorthand = readUpstream({ name: 'upstream', url: upstreamUrl, models: ['model'] }, 'upstreamUrl')
  const model = { name: modelName ?? upstreamModel, upstreamName: upstreamModel, contextTokens, default: true }
  return [
    {
      ...shorthand,
      key: config.upstreamKey,
      kind: config.upstreamKind,
      features: config.upstreamFeatures,
      capabilities: config.upstreamCapabilities,
      maxInFlight: config.engineSlots,
      models: shorthand.models?.map((defaults) => ({ ...defaults, ...model })) ?? [],
    },
    ...config.upstreams,
  ]
}

/** Throws an `OperatorError` that names the upstream whose tokenizer cannot be used. */
export const requireTokenizers = async (
  upstreams: readonly UpstreamSetting[],
  set: Pick<UpstreamSet, 'checkTokenizers'>,
): Promise<void> => {
  for (const { name, models } of upstreams) {
    const unusable = await set.checkTokenizers(models ?? [])
    if (unusable !== null) throw new OperatorError(`upstreams: the tokenizer of ${name} cannot be used: ${unusable}`)
  }
}

/** Throws an `OperatorError` that names the upstream whose key is missing. */
export const requireKeys = (upstreams: readonly UpstreamSetting[]): void => {
  for (const { name, key, keyFrom } of upstreams)
    if (keyFrom !== null && key === null)
      throw new OperatorError(`upstreams: the key of ${name} is read from ${keyFrom}, which is not set`)
}
