import { asBatched, type Batched, toBatches } from '../../base/batches.ts'
import type { AnswerRoute, Conversation, EngineEvent, PreparedPrompt, Sampling } from '../../engine/contract.ts'
import { messagesWithMedia } from '../../engine/media-parts.ts'
import { reservedMediaTokens } from '../../engine/media-tokens.ts'
import { AnswerProgress } from './answer-progress.ts'
import { noteFailure } from './classify-failure.ts'
import { type ContinuationMode, continueConversation } from './continue-conversation.ts'
import type { Placement } from './placement.ts'
import { PoolCall } from './pool-call.ts'
import { acceptsRequest, type PoolMember } from './pool-member.ts'
import { computePrefixKeys } from './prefix-affinity.ts'
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

/**
 * One answer from a pool. If an upstream fails, another begins again while nothing was passed on, and otherwise goes on from
 * the text that was, if it has the same weights. The events are those of one answer of one engine, counted once.
 */
export const answerFromPool = (options: AnswerFromPoolOptions): Batched<EngineEvent> =>
  asBatched(answerInBatches(options))

async function* answerInBatches(options: AnswerFromPoolOptions): AsyncGenerator<readonly EngineEvent[], void> {
  const { placement, retries, conversation, sampling, route, monotonicMs, signal } = options
  const progress = new AnswerProgress(conversation, sampling)
  /** Of the answer so far. Undefined: only the upstream knows. */
  let weightsId: string | undefined
  const call = new PoolCall({
    ...{ placement, retries, monotonicMs, ownerId: conversation.ownerId },
    prefixKeys: computePrefixKeys(conversation),
    tokens: estimatePromptTokens(conversation) + (sampling.maxTokens ?? 0),
    accepts: ({ engine }) =>
      acceptsRequest(engine, conversation) && (progress.isEmpty() || engine.model.weightsId === weightsId),
  })
  let isExactRefused = false
  for (;;) {
    const isContinuation = !progress.isEmpty()
    const member = await call.place(isContinuation, signal)
    const mode = isContinuation ? modeFor(member, isExactRefused) : null
    progress.startAttempt(mode)
    route.attempts += 1
    const askedAtMs = monotonicMs()
    let isStreamed = false
    try {
      for await (const batch of toBatches(await ask(member, mode, progress, options))) {
        if (route.upstreams.at(-1) !== member.name) route.upstreams.push(member.name)
        if (progress.isEmpty()) weightsId = member.engine.model.weightsId
        if (mode !== null) route.isContinued = true
        const passed: EngineEvent[] = []
        for (const event of batch) progress.pass(event, passed)
        if (!call.hasBegun && batch.some(({ type }) => type !== 'accepted')) {
          // A document comes whole, and so do short streams now and then.
          const isWhole = batch.at(-1)?.type === 'end'
          isStreamed = !isWhole
          const firstTokenAtMs = monotonicMs()
          if (isStreamed) route.timing ??= { askedAtMs, firstTokenAtMs, endedAtMs: firstTokenAtMs }
          call.begin(isWhole)
        }
        // It may say more than the rest, because it may repeat what was sent.
        const limit = mode === 'instructed' && passed.at(-1)?.type !== 'end' ? progress.limitReached() : null
        if (limit !== null) passed.push(limit)
        // Before it is passed on: a reader asks for nothing after the end.
        if (batch.at(-1)?.type === 'end') {
          call.answered(progress.tokens())
          if (isStreamed && route.timing !== undefined) route.timing.endedAtMs = monotonicMs()
        }
        if (passed.length > 0) yield passed
        if (limit !== null) return
      }
      return
    } catch (error) {
      if (signal.aborted) throw error
      const { outcome, canRetry } = call.fail(error)
      noteFailure(route, member.name, outcome)
      // That it cannot continue a message in this way is no fault of the request.
      const isOwnFault = mode === 'exact' && outcome.type === 'answered'
      if (isOwnFault) isExactRefused = true
      else call.exclude(member)
      call.allowAgain(member)
      if (!canRetry && !isOwnFault) throw error
      if (!progress.isEmpty() && !progress.canContinue()) throw error
      const limitReached = progress.limitReached()
      if (limitReached !== null) {
        yield [limitReached]
        return
      }
      if (!call.retry()) throw error
      options.onRetry(member, progress.tokens())
    } finally {
      call.leave()
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
const estimatePromptTokens = (conversation: Conversation): number =>
  Math.ceil(charactersOf(conversation) / charactersPerToken) + reservedMediaTokens(messagesWithMedia(conversation))

const charactersOf = (conversation: Conversation): number => {
  const { rawPrompt, written } = conversation
  if (written !== undefined) return written.characters
  let characters = typeof rawPrompt === 'string' ? rawPrompt.length : 0
  for (const { content } of conversation.messages) characters += content.length
  return characters
}
