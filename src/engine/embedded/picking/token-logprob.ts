import type { TokenLogprob } from '../../contract.ts'
import type { Candidates } from './candidates.ts'

/** How likely a token was, and which were the likeliest, from the list of all of them. */
export const tokenLogprob = (
  { ids, logprobs }: Candidates,
  id: number,
  topLogprobs: number,
  tokenBytes: (id: number) => Uint8Array,
): TokenLogprob => {
  const rank = ids.indexOf(id)
  const logprob = logprobs[rank]
  if (logprob === undefined) throw new Error(`token ${id} is not among the candidates`)
  const top = Array.from(ids.subarray(0, topLogprobs), (topId, index) => ({
    id: topId,
    bytes: tokenBytes(topId),
    logprob: logprobs[index] ?? logprob,
  }))
  return { logprob, rank, top }
}
