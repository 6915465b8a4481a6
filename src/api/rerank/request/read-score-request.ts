import { ApiError } from '../../../base/api-error.ts'
import type { ScoredPairs } from '../../../engine/scored-pairs.ts'
import { missing, Problem } from '../../../http/schema/problem.ts'
import type { InputsNeeds, InputsRequest } from '../../inputs/inputs-endpoint.ts'
import { readInputsBody } from '../../inputs/read-inputs-body.ts'
import { readPairLimits } from './pair-fields.ts'
import { scoreBody } from './score-body.ts'

/** A valid request. Plain data, so that it can come from another thread. */
export type ScoreRequest = InputsRequest & { pairs: ScoredPairs; usesActivation: boolean }

type ScoreBody = ReturnType<typeof scoreBody>
/** The two spellings of the same fields. */
const spellings = [
  { queries: 'text_1', documents: 'text_2' },
  { queries: 'queries', documents: 'documents' },
] as const

export const readScoreRequest = (bytes: Uint8Array, needs: InputsNeeds): ScoreRequest =>
  readInputsBody(bytes, needs, scoreBody, (body) => ({
    pairs: { ...readTexts(body), ...readPairLimits(body) },
    usesActivation: body.use_activation ?? false,
  }))

const readTexts = (body: ScoreBody): Pick<ScoredPairs, 'queries' | 'documents' | 'names'> => {
  const [usual, other] = spellings
  const isUsual = body.text_1 !== undefined || body.text_2 !== undefined
  const mixed = isUsual ? [other.queries, other.documents].find((name) => body[name] !== undefined) : undefined
  if (mixed !== undefined) throw new Problem(() => ApiError.of('mixed_score_fields', { path: mixed }, { param: mixed }))
  const names = !isUsual && (body.queries !== undefined || body.documents !== undefined) ? other : usual
  const [queries, documents] = [body[names.queries], body[names.documents]]
  if (queries === undefined) throw missing().under(names.queries)
  if (documents === undefined) throw missing().under(names.documents)
  if (queries.length > 1 && queries.length !== documents.length) {
    const counts = { path: names.queries, queries: queries.length, documents: documents.length }
    throw new Problem(() => ApiError.of('unpaired_texts', counts, { param: names.queries }))
  }
  return { queries, documents, names }
}
