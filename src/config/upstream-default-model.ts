import type { Config } from './settings.ts'

type UpstreamSettings = Pick<Config, 'upstreamUrl' | 'upstreamModel' | 'modelName' | 'upstreams' | 'defaultModel'>

/** The name of the model of upstreams or engine nodes that is the default model; null if a model on this machine is. */
export const upstreamDefaultModel = (config: UpstreamSettings): string | null => {
  if (config.defaultModel !== null) return config.defaultModel
  if (config.upstreamUrl !== null) return config.modelName ?? config.upstreamModel
  const models = config.upstreams.flatMap(({ models: named }) => named ?? [])
  return models.find((model) => model.default)?.name ?? null
}
