import { type Batched, batchesOf, itemsOf } from '../../base/batches.ts'
import type { AnswerRoute, Conversation, EngineEvent, PreparedPrompt, Sampling } from '../../engine/contract.ts'
import { reservedMediaTokens } from '../../engine/media-tokens.ts'
import { type AnswerProgress, createAnswerProgress } from './answer-progress.ts'
import { type ContinuationMode, continueConversation } from './continue-conversation.ts'
import { failureOf } from './failure-of.ts'
import type { Placement } from './placement.ts'
import { acceptsRequest, type PoolMember } from './pool-member.ts'
import { prefixKeysOf } from './prefix-affinity.ts'
import type { RetryBudget } from './retry-budget.ts'

export type AnswerFromPoolOptions = {
  placement: Placement
  retries: RetryBudget
  conversation: Conversation
  sampling: Sampling
  /** Records who answers. */
  route: AnswerRoute
  /** The prompt as an upstream was asked to answer it before anything was sent. */
  prepare(member: PoolMember): PreparedPrompt | Promise<PreparedPrompt>
  /** Another upstream is asked, after this many tokens. */
  onRetry(failed: PoolMember, sentTokens: number): void
  monotonicMs(): number
  signal: AbortSignal
}

/** Further attempts at other upstreams, whether something was sent or not. */
const maxRetries = 3

/**
 * One answer from a pool. If an upstream fails, another begins again while nothing was passed on, and otherwise goes on from
 * the text that was. The events are those of one answer of one engine, counted once.
 */
export const answerFromPool = (options: AnswerFromPoolOptions): Batched<EngineEvent> =>
  itemsOf(answerInBatches(options))

async function* answerInBatches(options: AnswerFromPoolOptions): AsyncGenerator<readonly EngineEvent[], void> {
  const { placement, retries, conversation, sampling, route, signal } = options
  const progress = createAnswerProgress(conversation, sampling)
  const prefixKeys = prefixKeysOf(conversation)
  const tokens = promptTokensOf(conversation) + (sampling.maxTokens ?? 0)
  const tried = new Set<string>()
  const accepts = ({ engine }: PoolMember): boolean => acceptsRequest(engine, conversation)
  let isExactRefused = false
  retries.earn()
  for (let retried = 0; ; retried += 1) {
    const isContinuation = !progress.isEmpty()
    const placing = { ownerId: conversation.ownerId, tokens, prefixKeys, tried, accepts, isContinuation }
    const { member, use } = await placement.place(placing, signal)
    const mode = isContinuation ? modeFor(member, isExactRefused) : null
    let hasBegun = false
    progress.startAttempt(mode)
    route.attempts += 1
    try {
      for await (const batch of batchesOf(await ask(member, mode, progress, options))) {
        if (route.upstreams.at(-1) !== member.name) route.upstreams.push(member.name)
        if (mode !== null) route.isContinued = true
        const passed: EngineEvent[] = []
        for (const event of batch) progress.pass(event, passed)
        if (!hasBegun && batch.some(({ type }) => type !== 'accepted')) {
          hasBegun = true
          use.end({ type: 'began' })
        }
        // It may say more than the rest, because it may repeat what was sent.
        const limit = mode === 'instructed' && passed.at(-1)?.type !== 'end' ? progress.limitReached() : null
        if (limit !== null) passed.push(limit)
        if (passed.length > 0) yield passed
        if (limit !== null) return
      }
      return
    } catch (error) {
      if (signal.aborted) throw error
      const { outcome, canRetry } = failureOf(error)
      use.end(outcome)
      // That it cannot continue a message in this way is no fault of the request.
      const isOwnFault = mode === 'exact' && outcome.type === 'answered'
      if (isOwnFault) isExactRefused = true
      else tried.add(member.name)
      // All have failed it once; any but the last may try again.
      if (!placement.hasCandidate({ tried, accepts }))
        for (const name of tried) if (name !== member.name) tried.delete(name)
      if (!canRetry && !isOwnFault) throw error
      if (!progress.isEmpty() && !progress.canContinue()) throw error
      const limitReached = progress.limitReached()
      if (limitReached !== null) {
        yield [limitReached]
        return
      }
      if (retried >= maxRetries || !placement.hasCandidate({ tried, accepts }) || !retries.spend(options.monotonicMs()))
        throw error
      options.onRetry(member, progress.tokens())
    } finally {
      // A caller that leaves in the middle of an answer says nothing bad about the upstream.
      if (hasBegun) use.end({ type: 'answered' })
      use.release()
    }
  }
}

const modeFor = ({ isExact }: PoolMember, isExactRefused: boolean): ContinuationMode =>
  isExact && !isExactRefused ? 'exact' : 'instructed'

const ask = async (
  member: PoolMember,
  mode: ContinuationMode | null,
  progress: AnswerProgress,
  { prepare, conversation, sampling, signal }: AnswerFromPoolOptions,
): Promise<AsyncIterable<EngineEvent>> => {
  if (mode === null) return (await prepare(member)).generate(sampling, signal)
  const tokens = progress.tokens()
  const rest: Sampling = {
    ...sampling,
    // One that is asked in words may first repeat all of it.
    maxTokens: sampling.maxTokens === null || mode === 'instructed' ? sampling.maxTokens : sampling.maxTokens - tokens,
    minTokens: Math.max(0, sampling.minTokens - tokens),
  }
  const prompt = await member.engine.prepare(continueConversation(conversation, progress.sent(), mode), signal)
  return prompt.generate(rest, signal)
}

const charactersPerToken = 4

/** Only to compare upstreams with each other. */
const promptTokensOf = ({ messages, rawPrompt }: Conversation): number => {
  let characters = typeof rawPrompt === 'string' ? rawPrompt.length : 0
  for (const { content } of messages) characters += content.length
  return Math.ceil(characters / charactersPerToken) + reservedMediaTokens(messages)
}
