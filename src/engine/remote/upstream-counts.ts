import type { Log } from '../../base/log.ts'
import type { ChatMessage, EngineEnd, EngineEvent } from '../contract.ts'
import { createTokenEstimate, estimatePromptTokens, mostPromptTokens } from './estimate-prompt.ts'
import { isRecord } from './is-record.ts'

type Counts = Pick<EngineEnd, 'promptTokens' | 'cachedTokens' | 'completionTokens' | 'reasoningTokens' | 'isEstimated'>

/** Token counts of one upstream answer: as reported if plausible, otherwise as counted here. */
export interface UpstreamCounts {
  /** Prompt estimate, before the upstream has reported anything. */
  readonly estimatedPromptTokens: number
  /** A part of the answer arrived. */
  add(event: EngineEvent): void
  /** `usage`: what the upstream reported last. */
  counts(usage: Record<string, unknown> | null): Counts
}

type CountsOptions = {
  messages: readonly ChatMessage[]
  /** The tools and the schema of the answer, as JSON. */
  definitions?: string
  /** Of a prompt that is sent as token ids. The upstream may add a few that begin every prompt. */
  knownPromptTokens?: number
  /** The token limit sent upstream. */
  limit: number | null
  log: Log
}

export const createUpstreamCounts = (options: CountsOptions): UpstreamCounts => {
  const { messages, definitions, knownPromptTokens, limit, log } = options
  const estimatedPromptTokens = knownPromptTokens ?? estimatePromptTokens(messages, definitions)
  const mostTokens = (): number => (knownPromptTokens ?? 0) + mostPromptTokens(messages, definitions)
  const estimate = createTokenEstimate()
  let pieces = 0

  /** Null if the reported value is missing, is not a count, or is impossible. */
  const believed = (claim: unknown, least: number, most: number, what: string): number | null => {
    if (!Number.isSafeInteger(claim) || Number(claim) < least) return null
    if (Number(claim) <= most) return Number(claim)
    log.warn('upstream_count_not_believed', { what, claimed: Number(claim), most })
    return null
  }
  return {
    estimatedPromptTokens,
    add(event) {
      if ('text' in event) estimate.add(event.text)
      if (event.type !== 'call') pieces += 1
    },
    counts(usage) {
      const claimed = usage ?? {}
      const most = limit ?? Number.POSITIVE_INFINITY
      const prompt = believed(claimed.prompt_tokens, 1, mostTokens(), 'prompt_tokens')
      // If text arrived, a count of zero is invalid.
      const completion = believed(claimed.completion_tokens, Math.min(pieces, 1), most, 'completion_tokens')
      const promptTokens = prompt ?? estimatedPromptTokens
      const cachedClaim = detail(claimed.prompt_tokens_details, 'cached_tokens')
      const reasoningClaim = detail(claimed.completion_tokens_details, 'reasoning_tokens')
      const cached = prompt === null ? null : believed(cachedClaim, 0, prompt, 'cached_tokens')
      const reasoning = completion === null ? null : believed(reasoningClaim, 1, completion, 'reasoning_tokens')
      return {
        promptTokens,
        cachedTokens: cached ?? 0,
        // A chunk is at least a token in most streams, and many tokens in some.
        completionTokens: completion ?? Math.min(Math.max(pieces, estimate.tokens()), most),
        ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
        isEstimated: prompt === null || completion === null,
      }
    },
  }
}

const detail = (details: unknown, name: string): unknown => (isRecord(details) ? details[name] : undefined)
