import { ApiError } from '../../../../base/api-error.ts'
import type { ChatMessage, EngineFeature, MediaPart, ServedModel } from '../../../../engine/contract.ts'
import { mediaParts } from '../../../../engine/media-parts.ts'

export type MediaLimits = {
  /** Limit for one image or recording, decoded. */
  partLimitBytes: number
  /** Limit for all of them together. */
  partsLimitBytes: number
}

const maxParts = 100

/** Refuses images and audio that are invalid or too large, for a model that accepts them. */
export const checkMedia = (
  messages: readonly ChatMessage[],
  { features, acceptsImageUrls }: Pick<ServedModel, 'features' | 'acceptsImageUrls'>,
  { partLimitBytes, partsLimitBytes }: MediaLimits,
): void => {
  const media = mediaParts(messages)
  const [first] = media
  // It is called again once the features are known.
  if (first === undefined || features === null) return
  for (const { origin } of media) if (origin.error !== null) throw ApiError.fromPlain(origin.error)
  if (media.length > maxParts) throw refuse(first, `a request can have at most ${maxParts} images and recordings`)
  let bytes = 0
  for (const part of media) {
    if (part.bytes === null && !acceptsImageUrls)
      throw refuse(part, 'this model does not accept addresses of images; send a data: URL')
    if ((part.bytes ?? 0) > partLimitBytes)
      throw refuse(part, `it has ${part.bytes} bytes, and at most ${partLimitBytes} are accepted`)
    bytes += part.bytes ?? 0
  }
  if (bytes > partsLimitBytes)
    throw refuse(first, `all images and recordings have ${bytes} bytes, and at most ${partsLimitBytes} are accepted`)
}

const refuse = ({ origin: { path } }: MediaPart, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })

/** Refuses images and audio that the model does not accept, by the type of their part. */
export const refuseMedia = (messages: readonly ChatMessage[], features: ReadonlySet<EngineFeature>): void => {
  for (const { type, origin } of mediaParts(messages)) {
    if (features.has(type === 'image' ? 'vision' : 'audio')) continue
    const path = `${origin.path}.type`
    throw ApiError.of('unsupported_value', { path, value: origin.type }, { param: path })
  }
}
