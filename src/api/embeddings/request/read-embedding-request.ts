import type { EmbeddingInputs } from '../../../engine/contract.ts'
import type { InputsNeeds, InputsRequest } from '../../inputs/inputs-endpoint.ts'
import { readInputsBody } from '../../inputs/read-inputs-body.ts'
import { embeddingBody } from './embedding-body.ts'

export type EmbeddingEncoding = 'float' | 'base64'

/** A valid request. Plain data, so that it can come from another thread. */
export type EmbeddingRequest = InputsRequest & {
  inputs: EmbeddingInputs
  encoding: EmbeddingEncoding
  dimensions: number | null
}

export const readEmbeddingRequest = (bytes: Uint8Array, needs: InputsNeeds): EmbeddingRequest =>
  readInputsBody(bytes, needs, embeddingBody, ({ input, encoding_format, dimensions }) => ({
    inputs: input,
    encoding: encoding_format ?? 'float',
    dimensions: dimensions ?? null,
  }))
