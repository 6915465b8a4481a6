import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage, EngineFeature } from '../../../engine/contract.ts'
import { mediaParts } from '../../../engine/media-parts.ts'

/** Refuses images and audio that the model does not accept, by the type of their part. */
export const refuseMedia = (messages: readonly ChatMessage[], features: ReadonlySet<EngineFeature>): void => {
  for (const { type, origin } of mediaParts(messages)) {
    if (features.has(type === 'image' ? 'vision' : 'audio')) continue
    const path = `${origin.path}.type`
    throw ApiError.of('unsupported_value', { path, value: origin.type }, { param: path })
  }
}
