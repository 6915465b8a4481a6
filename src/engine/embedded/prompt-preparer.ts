/**
 * Renders and tokenises prompts on threads of their own, so that a long prompt does not delay the step of a running
 * answer. Organisations take turns, and a prompt that takes too long is abandoned together with its thread.
 */
import { type Clock, systemClock } from '../../base/clock.ts'
import { WorkerPool } from '../../base/worker-pool.ts'
import { WorkerPoolFailure } from '../../base/worker-pool-failure.ts'
import type { Conversation, ServedModel, TokenTexts } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import type { PreparedTokens } from './prompt-preparation.ts'
import type { PromptJob, PromptModel, PromptOutcome } from './prompt-thread.ts'

export interface PromptPreparer {
  /**
   * Called once, before the first prompt. Resolves with what `ServedModel` says of its tokens. Throws `ModelRefused` if the chat
   * template cannot be parsed.
   */
  check(model: PromptModel): Promise<Pick<ServedModel, 'maxTokenWords'>>
  /** Rejects with the reason of the signal, or with an error if the thread failed. */
  prepare(conversation: Conversation, signal: AbortSignal): Promise<PreparedTokens | { type: 'busy' }>
  /** As `prepare`, for the texts of token ids. */
  detokenise(ids: Uint32Array, ownerId: string, signal: AbortSignal): Promise<DetokeniseOutcome>
  close(): Promise<void>
}

type DetokeniseOutcome = ({ type: 'detokenised' } & TokenTexts) | { type: 'busy' }

type PreparerOptions = {
  clock?: Clock
  /** Replaces the real thread. */
  file?: URL
}

/** Megabytes of messages take a fraction of it, even on a busy machine. */
const timeoutMs = 10_000
/** The second one starts only if a prompt arrives while another organisation's is being prepared. */
const threads = 2
const memoryMb = 512

export const openPromptPreparer = ({
  clock = systemClock,
  file = new URL('./prompt-thread.ts', import.meta.url),
}: PreparerOptions = {}): PromptPreparer => {
  const pool = new WorkerPool<PromptJob, PromptOutcome>({
    file,
    name: 'prompt',
    timeoutMs,
    threads,
    maxRunningPerTenant: threads - 1,
    maxQueued: 4096,
    maxQueuedPerTenant: 1024,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    clock,
  })
  let model: PromptModel | undefined
  const tenant = 'engine'
  // Loads the code of the thread while the caller loads the model.
  pool.run({ type: 'start' }, { tenant }).catch(() => {})
  return {
    async check(checked) {
      const outcome = await pool.run({ type: 'check', model: checked }, { tenant })
      if (outcome.type === 'model_refused') throw new ModelRefused(outcome.reason)
      model = checked
      return outcome.type === 'ready' && outcome.maxTokenWords !== undefined
        ? { maxTokenWords: outcome.maxTokenWords }
        : {}
    },
    async prepare(conversation, signal) {
      if (model === undefined) throw new Error('there is no model yet')
      try {
        const tenantOptions = { tenant: conversation.ownerId, signal }
        const outcome = await pool.run({ type: 'prepare', model, conversation }, tenantOptions)
        if (isPrepared(outcome)) return outcome
        throw new Error('the thread returned no prompt')
      } catch (error) {
        if (error instanceof WorkerPoolFailure) return failureOutcome(error)
        throw error
      }
    },
    async detokenise(ids, ownerId, signal) {
      if (model === undefined) throw new Error('there is no model yet')
      try {
        const outcome = await pool.run({ type: 'detokenise', model, ids }, { tenant: ownerId, signal })
        if (outcome.type === 'detokenised') return outcome
        throw new Error('the thread returned no texts')
      } catch (error) {
        if (error instanceof WorkerPoolFailure && failureOutcome(error).type === 'busy') return { type: 'busy' }
        throw error
      }
    },
    close: () => pool.close(),
  }
}

const isPrepared = (outcome: PromptOutcome): outcome is PreparedTokens =>
  outcome.type === 'prepared' || outcome.type === 'too_long' || outcome.type === 'template_refused'

const failureOutcome = (failure: WorkerPoolFailure): PreparedTokens | { type: 'busy' } => {
  switch (failure.kind) {
    case 'timeout':
    case 'crashed':
      return {
        type: 'template_refused',
        reason: `rendering and counting them takes more than ${timeoutMs} ms or ${memoryMb} MB`,
        cpuMs: timeoutMs,
      }
    case 'not_started':
    case 'queue_full':
    case 'tenant_queue_full':
      return { type: 'busy' }
    case 'failed':
    case 'closed':
      throw failure
  }
}
