import { ApiError } from '../../../base/api-error.ts'
import type { EmbeddingInputs } from '../../../engine/contract.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import type { StoredText } from '../../../store/body-contract.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { embeddingBody } from './embedding-body.ts'

export type EmbeddingEncoding = 'float' | 'base64'

/** A valid request. Plain data, so that it can come from another thread. */
export type EmbeddingRequest = {
  model: string
  inputs: EmbeddingInputs
  encoding: EmbeddingEncoding
  dimensions: number | null
  /** For the request log; null if the organisation keeps no bodies. */
  bodyCopy: StoredText | null
}

export type EmbeddingNeeds = { copy: boolean }

export const readEmbeddingRequest = (bytes: Uint8Array, { copy }: EmbeddingNeeds): EmbeddingRequest => {
  const value = parseJson(bytes)
  if (!isObject(value)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  if (value.model === undefined) throw ApiError.of('missing_model', {})
  try {
    const { model, input, encoding_format, dimensions } = embeddingBody(value)
    return {
      model,
      inputs: input,
      encoding: encoding_format ?? 'float',
      dimensions: dimensions ?? null,
      bodyCopy: copy ? cutText(JSON.stringify(value)) : null,
    }
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}
