import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'
import { maxEmbeddingsBytes } from './embeddings-json.ts'
import type { EmbeddingRequest } from './request/read-embedding-request.ts'
import { tooManyDimensions } from './shorten-vector.ts'

const truncatedBy = 'truncate_prompt_tokens'

/**
 * Refuses what the model cannot do. While that is unknown nothing is refused: the request is checked again when the model
 * is loaded.
 */
export const refuseImpossible = (
  { inputs, encoding, dimensions, maxTokens }: EmbeddingRequest,
  { id, vectorLength, features, cutsInputs }: ServedModel,
  answerLimitBytes: number,
): void => {
  if (maxTokens !== null && features !== null && cutsInputs !== true)
    throw ApiError.of('unsupported_parameter', { path: truncatedBy }, { param: truncatedBy })
  if (vectorLength === undefined) return
  if (dimensions !== null && dimensions > vectorLength) throw tooManyDimensions(id, vectorLength)
  if (maxEmbeddingsBytes(inputs.length, dimensions ?? vectorLength, encoding) > answerLimitBytes)
    throw ApiError.of('embeddings_too_large', { limitBytes: answerLimitBytes }, { param: 'input' })
}
