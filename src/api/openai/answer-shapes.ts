import { createHash } from 'node:crypto'
import { version } from '../../base/version.ts'
import type { ServedModel } from '../../engine/contract.ts'
import { object } from '../../http/schema/containers.ts'
import { integer } from '../../http/schema/scalars.ts'
import type { Usage } from '../generation/answer/answer-part.ts'
import type { ContentLogprob } from '../generation/output/content-logprobs.ts'

/** What the answers of OpenAI's APIs have in common. Keys are in the order of the official service. */
const fingerprints = new WeakMap<ServedModel, string>()

/**
 * Changes when the program or the weights change. Only an upstream knows the weights of its models: what they are called there takes
 * their place, and not the time at which a thread of this server opened them, which differs in the next thread and on another node.
 */
export const modelFingerprint = (model: ServedModel): string => {
  const known = fingerprints.get(model)
  if (known !== undefined) return known
  const text = JSON.stringify([version, model.id, model.weightsId ?? model.upstreamNames ?? model.created])
  const fingerprint = `fp_${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
  fingerprints.set(model, fingerprint)
  return fingerprint
}

export const usageJson = ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoningTokens,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const usageSchema = object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: object({ cached_tokens: count, audio_tokens: count }),
  completion_tokens_details: object({
    reasoning_tokens: count,
    audio_tokens: count,
    accepted_prediction_tokens: count,
    rejected_prediction_tokens: count,
  }),
})

/** The official service reports no probability for a token that is not among the twenty most likely. */
const unlikely = -9999
const mostLikely = 20

const tokenJson = (bytes: Uint8Array, logprob: number) => ({
  token: Buffer.from(bytes).toString(),
  logprob,
  bytes: Array.from(bytes),
})

export const contentLogprobJson = ({ bytes, logprob }: ContentLogprob) => ({
  ...tokenJson(bytes, logprob.rank < mostLikely ? logprob.logprob : unlikely),
  top_logprobs: logprob.top.map((likely) => tokenJson(likely.bytes, likely.logprob)),
})
