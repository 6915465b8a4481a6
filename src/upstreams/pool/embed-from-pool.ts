import { ApiError } from '../../base/api-error.ts'
import type { AnswerRoute, EmbeddingInputs, EngineCaller, PreparedInputs } from '../../engine/contract.ts'
import { failureOf } from './failure-of.ts'
import type { Placement } from './placement.ts'
import type { PoolMember } from './pool-member.ts'
import type { RetryBudget } from './retry-budget.ts'

type EmbedFromPoolOptions = {
  placement: Placement
  retries: RetryBudget
  inputs: EmbeddingInputs
  /** The organisation. */
  caller: EngineCaller
  /** At most. */
  promptTokens: number
  /** Another upstream is asked. */
  onRetry(failed: PoolMember): void
  monotonicMs(): number
}

/** Further attempts at other upstreams. */
const maxRetries = 3

/** The vectors of inputs from a pool. They arrive together, so another upstream can always begin again. */
export const embedFromPool = (options: EmbedFromPoolOptions): PreparedInputs => {
  const route: AnswerRoute = { upstreams: [], attempts: 0, isContinued: false }
  let counted = options.promptTokens
  return {
    promptTokens: options.promptTokens,
    countedTokens: () => counted,
    route,
    async *embed(signal) {
      const embedded = await embedAll(options, route, signal)
      counted = embedded.promptTokens
      yield* embedded.vectors
    },
  }
}

const embedAll = async (
  { placement, retries, inputs, caller, promptTokens: tokens, onRetry, monotonicMs }: EmbedFromPoolOptions,
  route: AnswerRoute,
  signal: AbortSignal,
): Promise<{ vectors: Float32Array[]; promptTokens: number }> => {
  const tried = new Set<string>()
  const accepts = ({ engine }: PoolMember): boolean => engine.prepareInputs !== undefined
  retries.earn()
  for (let retried = 0; ; retried += 1) {
    const placing = { ownerId: caller.ownerId, tokens, prefixKeys: [], tried, accepts, isContinuation: false }
    const { member, use } = await placement.place(placing, signal)
    route.attempts += 1
    try {
      const prepared = await member.engine.prepareInputs?.(inputs, signal, caller)
      if (prepared === undefined) throw ApiError.of('model_not_for_embeddings', { model: member.engine.model.id })
      const vectors: Float32Array[] = []
      for await (const vector of prepared.embed(signal)) vectors.push(vector)
      route.upstreams.push(member.name)
      use.end({ type: 'answered' })
      return { vectors, promptTokens: prepared.countedTokens?.() ?? prepared.promptTokens }
    } catch (error) {
      if (signal.aborted) throw error
      const { outcome, canRetry } = failureOf(error)
      use.end(outcome)
      tried.add(member.name)
      const mayRetry = canRetry && retried < maxRetries && placement.hasCandidate({ tried, accepts })
      if (!mayRetry || !retries.spend(monotonicMs())) throw error
      onRetry(member)
    } finally {
      use.release()
    }
  }
}
