import type { ScoredPairs } from '../../../engine/scored-pairs.ts'
import type { InputsNeeds, InputsRequest } from '../../inputs/inputs-endpoint.ts'
import { readInputsBody } from '../../inputs/read-inputs-body.ts'
import { readPairLimits } from './pair-fields.ts'
import { rerankBody } from './rerank-body.ts'

/** A valid request. Plain data, so that it can come from another thread. */
export type RerankRequest = InputsRequest & {
  pairs: ScoredPairs
  maxResults: number
  returnsDocuments: boolean
  usesActivation: boolean
}

export const readRerankRequest = (bytes: Uint8Array, needs: InputsNeeds): RerankRequest =>
  readInputsBody(bytes, needs, rerankBody, (body) => {
    const { query, documents, top_n, return_documents, use_activation } = body
    const names = { queries: 'query', documents: 'documents' }
    return {
      pairs: { queries: [query], documents, ...readPairLimits(body), names },
      maxResults: top_n || documents.length,
      returnsDocuments: return_documents ?? false,
      usesActivation: use_activation ?? false,
    }
  })
