import { ApiError } from '../../base/api-error.ts'
import type { AnswerRoute, EngineCaller, ModelInputs, PreparedInputs } from '../../engine/contract.ts'
import { noteFailure } from './classify-failure.ts'
import type { Placement } from './placement.ts'
import { PoolCall } from './pool-call.ts'
import type { PoolMember } from './pool-member.ts'
import type { RetryBudget } from './retry-budget.ts'

type EmbedFromPoolOptions = {
  placement: Placement
  retries: RetryBudget
  inputs: ModelInputs
  /** The organisation. */
  caller: EngineCaller
  /** At most. */
  promptTokens: number
  /** Another upstream is asked. */
  onRetry(failed: PoolMember): void
  monotonicMs(): number
}

type Counted = { promptTokens: number; isEstimated: boolean }

/** The vectors or scores of inputs from a pool. They arrive together, so another upstream can always begin again. */
export const embedFromPool = (options: EmbedFromPoolOptions): PreparedInputs => {
  const route: AnswerRoute = { upstreams: [], attempts: 0, isContinued: false }
  let counted: Counted = { promptTokens: options.promptTokens, isEstimated: false }
  return {
    promptTokens: options.promptTokens,
    countedTokens: () => counted.promptTokens,
    isEstimated: () => counted.isEstimated,
    route,
    async *embed(signal) {
      const embedded = await embedAll(options, route, signal)
      counted = embedded
      yield* embedded.vectors
    },
  }
}

const embedAll = async (
  { placement, retries, inputs, caller, promptTokens: tokens, onRetry, monotonicMs }: EmbedFromPoolOptions,
  route: AnswerRoute,
  signal: AbortSignal,
): Promise<Counted & { vectors: Float32Array[] }> => {
  const accepts = ({ engine }: PoolMember): boolean => engine.prepareInputs !== undefined
  const call = new PoolCall({
    ...{ placement, retries, monotonicMs, accepts, tokens },
    ownerId: caller.ownerId,
    prefixKeys: [],
  })
  for (;;) {
    const member = await call.place(false, signal)
    route.attempts += 1
    try {
      const prepared = await member.engine.prepareInputs?.(inputs, signal, caller)
      if (prepared === undefined) throw ApiError.of('model_unavailable', { model: member.engine.model.id })
      const vectors: Float32Array[] = []
      for await (const vector of prepared.embed(signal)) vectors.push(vector)
      route.upstreams.push(member.name)
      call.begin(true)
      // Vectors and scores are no tokens.
      call.answered(0)
      const promptTokens = prepared.countedTokens?.() ?? prepared.promptTokens
      return { vectors, promptTokens, isEstimated: prepared.isEstimated?.() ?? false }
    } catch (error) {
      if (signal.aborted) throw error
      const { outcome, canRetry } = call.fail(error)
      noteFailure(route, member.name, outcome)
      call.exclude(member)
      if (!canRetry || !call.retry()) throw error
      onRetry(member)
    } finally {
      call.leave()
    }
  }
}
