import { isRecord } from '../../base/is-record.ts'
import type { Log } from '../../base/log.ts'
import type { ChatMessage, EngineEnd, EngineEvent, WrittenPrompt } from '../contract.ts'
import { leastMediaTokens } from '../media-tokens.ts'
import { createAnswerTexts } from './answer-texts.ts'
import { createTokenEstimate, estimatePromptTokens, maxPromptTokens } from './estimate-prompt.ts'

type Counts = Pick<EngineEnd, 'promptTokens' | 'cachedTokens' | 'completionTokens' | 'reasoningTokens' | 'isEstimated'>

/** Token counts of one upstream answer: as reported if plausible, otherwise as counted here. */
export interface UpstreamCounts {
  /** The prompt, before the upstream has reported anything. */
  readonly expectedPromptTokens: number
  /** Whether that number was counted, not estimated. */
  readonly isPromptCounted: boolean
  /** What the upstream has reported about the prompt; null if that is nothing, or impossible. */
  reportedPrompt(usage: Record<string, unknown> | null): number | null
  /** A part of the answer arrived. */
  add(event: EngineEvent): void
  /**
   * `usage`: what the upstream reported last. `sentLimit`: the limit that it was sent in the end, which may be above that of the request,
   * if its API has no lower one; more than the limit of the request is never counted.
   */
  counts(usage: Record<string, unknown> | null, sentLimit?: number | null): Counts | Promise<Counts>
}

type CountsOptions = {
  /** Only those with images or audio if the prompt is estimated already. */
  messages: readonly ChatMessage[]
  /** A text that is continued without messages. */
  rawText?: string
  /** The tools and the schema of the answer, as JSON. */
  definitions?: string
  /** Estimates of messages and definitions together, if they are known already. */
  estimated?: WrittenPrompt['tokens']
  /** The size of a prompt that is sent as token ids, or that was counted. The upstream may add a few tokens in front. */
  knownPromptTokens?: number
  /** Counts the texts of an answer with the model's tokenizer; null if it cannot. */
  countTexts?: (texts: readonly string[]) => Promise<number | null>
  /** As many more may be in the prompt, because the upstream is sent more than messages and definitions. */
  furtherTokens?: number
  /** The token limit of the request. */
  limit: number | null
  log: Log
}

export const createUpstreamCounts = (options: CountsOptions): UpstreamCounts => {
  const { messages, rawText, definitions, estimated, knownPromptTokens, countTexts, limit, log } = options
  const { furtherTokens = 0 } = options
  const mediaTokens = leastMediaTokens(messages)
  const expectedPromptTokens =
    knownPromptTokens === undefined
      ? (estimated?.expected ?? estimatePromptTokens(messages, definitions, rawText))
      : knownPromptTokens + mediaTokens
  const isPromptCounted = knownPromptTokens !== undefined && mediaTokens === 0
  const max = limit ?? Number.POSITIVE_INFINITY
  const maxTokens = (): number =>
    furtherTokens + (knownPromptTokens ?? 0) + (estimated?.max ?? maxPromptTokens(messages, definitions, rawText))
  const estimate = createTokenEstimate()
  let pieces = 0
  const answer = countTexts === undefined ? null : createAnswerTexts()

  /** Null if the reported value is missing, is not a count, or is impossible. */
  const believed = (claim: unknown, least: number, max: number, what: string): number | null => {
    if (!Number.isSafeInteger(claim) || Number(claim) < least) return null
    if (Number(claim) <= max) return Number(claim)
    log.warn('upstream_count_not_believed', { what, claimed: Number(claim), max })
    return null
  }
  /** Null if the answer cannot be counted. */
  const counted = async (): Promise<number | null> => {
    const texts = answer?.texts() ?? null
    return texts === null || countTexts === undefined ? null : countTexts(texts)
  }
  const promptIn = ({ prompt_tokens: claim }: Record<string, unknown>): number | null =>
    believed(claim, 1, maxTokens(), 'prompt_tokens')
  return {
    ...{ expectedPromptTokens, isPromptCounted },
    reportedPrompt: (usage) => (usage === null ? null : promptIn(usage)),
    add(event) {
      const texts = event.type === 'text' ? event.pieces : undefined
      if (texts !== undefined) for (const text of texts) estimate.add(text)
      else if ('text' in event) estimate.add(event.text)
      // A text whose tokens the upstream has not reported may be any number of them.
      else if (event.type === 'token' && event.logprob === undefined) estimate.add(Buffer.from(event.bytes).toString())
      if (event.type === 'item') return
      // A signature is no token.
      if (event.type !== 'call' && !(event.type === 'reasoning' && event.signature !== undefined))
        pieces += texts?.length ?? 1
      answer?.add(event)
    },
    counts(usage, sentLimit = limit) {
      const claimed = usage ?? {}
      const most = Math.max(max, sentLimit ?? Number.POSITIVE_INFINITY)
      const prompt = promptIn(claimed)
      // If text arrived, a count of zero is invalid.
      const shown = believed(claimed.completion_tokens, Math.min(pieces, 1), most, 'completion_tokens')
      // Some have the tokens of the cache beside the others, as DeepSeek and Together, or those of reasoning, as SGLang.
      const cachedBeside = claimed.prompt_cache_hit_tokens ?? claimed.cached_tokens
      const cachedClaim = detail(claimed.prompt_tokens_details, 'cached_tokens') ?? cachedBeside
      const reasoningClaim =
        detail(claimed.completion_tokens_details, 'reasoning_tokens') ?? (claimed.reasoning_tokens || undefined)
      const all = shown === null ? null : Math.min(shown + reasoningBeside(claimed), most)
      const cached = prompt === null ? null : believed(cachedClaim, 0, prompt, 'cached_tokens')
      const reasoning = all === null ? null : believed(reasoningClaim, 1, all, 'reasoning_tokens')
      const isPromptEstimated = prompt === null && !isPromptCounted
      const createCounts = (completionTokens: number, isEstimated: boolean): Counts => ({
        promptTokens: prompt ?? expectedPromptTokens,
        cachedTokens: cached ?? 0,
        completionTokens: Math.min(completionTokens, max),
        ...(reasoning === null ? {} : { reasoningTokens: Math.min(reasoning, max) }),
        isEstimated: isEstimated || isPromptEstimated,
      })
      if (all !== null) return createCounts(all, false)
      // A chunk is at least a token in most streams, and many tokens in some.
      const guessed = (): Counts => createCounts(Math.max(pieces, estimate.tokens()), true)
      if (answer === null) return guessed()
      return counted().then((tokens) => (tokens === null ? guessed() : createCounts(tokens, false)))
    },
  }
}

/** Some count reasoning apart from `completion_tokens`, as xAI: the sum of all says so. The provider charges for it all the same. */
const reasoningBeside = ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  completion_tokens_details,
}: Fields): number => {
  const reasoning = Number(detail(completion_tokens_details, 'reasoning_tokens') ?? 0)
  const isApart = reasoning > 0 && Number(prompt_tokens) + Number(completion_tokens) + reasoning === total_tokens
  return isApart && Number.isSafeInteger(reasoning) ? reasoning : 0
}

type Fields = Record<string, unknown>

const detail = (details: unknown, name: string): unknown => (isRecord(details) ? details[name] : undefined)
