import type { ScoredPairs } from '../../engine/scored-pairs.ts'
import type { MapText } from '../inputs/inputs-endpoint.ts'

/** The same pairs with other texts. */
export const mapPairs = (pairs: ScoredPairs, map: MapText): ScoredPairs => ({
  ...pairs,
  queries: pairs.queries.map((text) => map(text, 'user')),
  documents: pairs.documents.map((text) => map(text, 'document')),
})
