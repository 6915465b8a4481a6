import type { Log } from '../../base/log.ts'
import type { ChatMessage, EngineEnd } from '../contract.ts'
import { estimatePromptTokens, mostPromptTokens } from './estimate-prompt.ts'
import type { UpstreamChunk } from './read-chunks.ts'

type Counts = Pick<EngineEnd, 'promptTokens' | 'cachedTokens' | 'completionTokens' | 'isEstimated'>

/** Token counts of one upstream answer: as reported if plausible, otherwise as counted here. */
export interface UpstreamCounts {
  /** Prompt estimate, before the upstream has reported anything. */
  readonly estimatedPromptTokens: number
  /** A piece of text arrived. */
  addPiece(): void
  read(usage: UpstreamChunk['usage']): void
  counts(): Counts
}

type CountsOptions = {
  messages: readonly ChatMessage[] /** The token limit sent upstream. */
  limit: number | null
  log: Log
}

export const createUpstreamCounts = ({ messages, limit, log }: CountsOptions): UpstreamCounts => {
  const estimatedPromptTokens = estimatePromptTokens(messages)
  let pieces = 0
  let claimed: NonNullable<UpstreamChunk['usage']> = {}

  /** Null if the reported value is missing, is not a count, or is impossible. */
  const believed = (claim: unknown, least: number, most: number, what: string): number | null => {
    if (!Number.isSafeInteger(claim) || Number(claim) < least) return null
    if (Number(claim) <= most) return Number(claim)
    log.warn('upstream_count_not_believed', { what, claimed: Number(claim), most })
    return null
  }
  return {
    estimatedPromptTokens,
    addPiece() {
      pieces += 1
    },
    // Some upstreams send running counts with each chunk; the last ones apply.
    read(usage) {
      if (usage) claimed = usage
    },
    counts() {
      const most = limit ?? Number.POSITIVE_INFINITY
      const prompt = believed(claimed.prompt_tokens, 1, mostPromptTokens(messages), 'prompt_tokens')
      // If text arrived, a count of zero is invalid.
      const completion = believed(claimed.completion_tokens, Math.min(pieces, 1), most, 'completion_tokens')
      const promptTokens = prompt ?? estimatedPromptTokens
      const cached =
        prompt === null ? null : believed(claimed.prompt_tokens_details?.cached_tokens, 0, prompt, 'cached_tokens')
      return {
        promptTokens,
        cachedTokens: cached ?? 0,
        completionTokens: completion ?? Math.min(pieces, most),
        isEstimated: prompt === null || completion === null,
      }
    },
  }
}
