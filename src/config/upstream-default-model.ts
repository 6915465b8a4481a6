import type { Config } from './settings.ts'

type UpstreamSettings = Pick<Config, 'upstreamUrl' | 'upstreamModel' | 'modelName' | 'upstreams'>

/** The name of the upstream model that is the default model; null if a model on this machine is. */
export const upstreamDefaultModel = (config: UpstreamSettings): string | null => {
  if (config.upstreamUrl !== null) return config.modelName ?? config.upstreamModel
  const models = config.upstreams.flatMap(({ models: named }) => named ?? [])
  return models.find((model) => model.default)?.name ?? null
}
