import type { EmbeddingInputs, TextPrefixes } from '../../../engine/contract.ts'
import type { InputsNeeds, InputsRequest } from '../../inputs/inputs-endpoint.ts'
import { readInputsBody } from '../../inputs/read-inputs-body.ts'
import { embeddingBody } from './embedding-body.ts'

export type EmbeddingEncoding = 'float' | 'base64'

/** A valid request. Plain data, so that it can come from another thread. */
export type EmbeddingRequest = InputsRequest & {
  inputs: EmbeddingInputs
  encoding: EmbeddingEncoding
  dimensions: number | null
  /** Null: the request does not say. */
  inputType: keyof TextPrefixes | null
  /** Longer inputs are cut; -1: to what the model accepts; null: they are not. */
  maxTokens: number | null
}

/** Under the names of NVIDIA's and Cohere's APIs. */
const inputTypes = {
  query: 'query',
  passage: 'passage',
  search_query: 'query',
  search_document: 'passage',
} as const

export const readEmbeddingRequest = (bytes: Uint8Array, needs: InputsNeeds): EmbeddingRequest =>
  readInputsBody(
    bytes,
    needs,
    embeddingBody,
    ({ input, encoding_format, dimensions, input_type, truncate_prompt_tokens, truncate }) => ({
      inputs: input,
      encoding: encoding_format ?? 'float',
      dimensions: dimensions ?? null,
      inputType: input_type == null ? null : inputTypes[input_type],
      // 0 asks for nothing.
      maxTokens: truncate_prompt_tokens || (truncate === true ? -1 : null),
    }),
  )
