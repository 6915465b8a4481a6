import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'
import { normalise } from '../../engine/normalise.ts'

/** The first dimensions of a vector, with a length of 1 again, as in OpenAI's API. Null: all of them. */
export const shortenVector = (
  vector: Float32Array,
  dimensions: number | null,
  { id }: Pick<ServedModel, 'id'>,
): Float32Array => {
  if (dimensions === null || dimensions === vector.length) return vector
  if (dimensions > vector.length) throw tooManyDimensions(id, vector.length)
  return normalise(vector.subarray(0, dimensions))
}

export const tooManyDimensions = (model: string, vectorLength: number): ApiError =>
  ApiError.of('too_many_dimensions', { model, vectorLength }, { param: 'dimensions' })
