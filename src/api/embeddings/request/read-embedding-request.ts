import { ApiError } from '../../../base/api-error.ts'
import type { EmbeddingInputs } from '../../../engine/contract.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import type { StoredText } from '../../../store/body-contract.ts'
import { cutText } from '../../../usage/body-writer.ts'
import { type FieldNeeds, type ReadFields, readFields } from '../../generation/request/read-fields.ts'
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
} & Pick<ReadFields<unknown>, 'ignoredFields'>

export type EmbeddingNeeds = { copy: boolean } & FieldNeeds

export const readEmbeddingRequest = (bytes: Uint8Array, needs: EmbeddingNeeds): EmbeddingRequest => {
  const value = parseJson(bytes)
  if (!isObject(value)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  if (value.model === undefined) throw ApiError.of('missing_model', {})
  try {
    const { value: body, ignoredFields } = readFields(needs, () => embeddingBody(value))
    const { model, input, encoding_format, dimensions } = body
    return {
      model,
      inputs: input,
      encoding: encoding_format ?? 'float',
      dimensions: dimensions ?? null,
      ignoredFields,
      bodyCopy: needs.copy ? cutText(JSON.stringify(value)) : null,
    }
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}
