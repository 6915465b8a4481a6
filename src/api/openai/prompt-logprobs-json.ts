import type { PromptToken } from '../../engine/contract.ts'
import { type LongList, longList } from '../../http/json/long-list.ts'
import { array, nullable, object, record } from '../../http/schema/containers.ts'
import { decimal, integer, string } from '../../http/schema/scalars.ts'

/** JSON has no minus infinity. */
const leastLogprob = -9999

/** The log probabilities of a prompt in vLLM's shape: by token id, for each token itself and for the most likely ones. */
export const promptLogprobsJson = (tokens: readonly PromptToken[], count: number): LongList =>
  longList(function* () {
    for (const token of tokens) yield tokenJson(token, count)
  })

const tokenJson = ({ id, bytes, logprob: own }: PromptToken, count: number) => {
  if (own === null) return null
  const likely = own.top.slice(0, count).map((one, rank) => ({ ...one, rank }))
  const all = [...likely, { id, bytes, logprob: own.logprob, rank: own.rank }]
  return Object.fromEntries(all.map((one) => [one.id, entryJson(one)]))
}

/** vLLM counts from 1. */
const entryJson = ({ bytes, logprob, rank }: { bytes: Uint8Array; logprob: number; rank: number }) => ({
  logprob: Math.max(leastLogprob, logprob),
  rank: rank + 1,
  decoded_token: Buffer.from(bytes).toString(),
})

export const promptLogprobsSchema = array(
  nullable(
    record(
      object({
        logprob: decimal({ min: leastLogprob, max: 0 }),
        rank: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        decoded_token: string(),
      }),
    ),
  ),
)
