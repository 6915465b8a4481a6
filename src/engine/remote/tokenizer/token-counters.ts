/**
 * Counts tokens with the tokenizers of upstream models, on threads of its own: a vocabulary takes a second to load, and a
 * long text many milliseconds to count. With GGUF files it counts in processes, which a damaged file may crash. Organisations
 * take turns. A count is never waited for long: without one, tokens are estimated as for a model whose tokenizer is not known.
 */
import type { Clock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import { WorkerPool } from '../../../base/worker-pool.ts'
import { WorkerPoolFailure, type WorkerPoolFailureKind } from '../../../base/worker-pool-failure.ts'
import type { ChatMessage, Conversation } from '../../contract.ts'
import { workerEnvironment } from '../../embedded/worker-environment.ts'
import { isGguf } from './is-gguf.ts'
import type { CountJob, CountOutcome } from './serve-counts.ts'

/** Counts for one model. */
export interface TokenCounter {
  /** Without images and audio. Null if it cannot be counted now. Rejects with the reason of the signal. */
  prompt(conversation: Conversation, signal: AbortSignal): Promise<number | null>
  /** The texts of an answer together. Null as for a prompt. */
  texts(texts: readonly string[], ownerId: string): Promise<number | null>
}

export interface TokenCounters {
  /** The path of a `tokenizer.json` or a GGUF file. */
  of(path: string): TokenCounter
  /** Loads a tokenizer, again if it was loaded before. Resolves to what is wrong with it; null: nothing. */
  check(path: string): Promise<string | null>
  close(): Promise<void>
}

/** Longer texts are estimated: they would take more than a second. */
const maxCharacters = 400_000
/** A vocabulary may have to be loaded first. */
const timeoutMs = 15_000
/** How long a request waits for a count. */
const longestWaitMs = 2000
/** The second one starts only if another organisation's text takes long. */
const threads = 2
/** How long tokens are estimated after a process ended: starting it again for each request would cost more than it counts. */
const pauseMs = 30_000
/** After these a process has to be started again. */
const endedKinds: readonly WorkerPoolFailureKind[] = ['crashed', 'timeout', 'not_started']

export const openTokenCounters = ({ clock, log }: { clock: Clock; log: Log }): TokenCounters => {
  const { jsonPool, ggufPool } = openPools(clock)
  const formats = new Map<string, Promise<boolean>>()
  const pausedUntilMs = new Map<string, number>()

  const choosePool = async (path: string): Promise<typeof jsonPool> => {
    const format = formats.get(path) ?? isGguf(path)
    formats.set(path, format)
    return (await format) ? ggufPool : jsonPool
  }
  const run = async (job: CountJob, tenant: string, signal?: AbortSignal): Promise<number | null> => {
    const { path } = job
    if (clock.monotonicMs() < (pausedUntilMs.get(path) ?? 0)) return null
    const pool = await choosePool(path)
    try {
      const outcome = await pool.run(job, { tenant, ...(signal === undefined ? {} : { signal }) })
      return outcome.type === 'counted' ? outcome.tokens : null
    } catch (error) {
      if (!(error instanceof WorkerPoolFailure)) throw error
      if (pool === ggufPool && endedKinds.includes(error.kind)) {
        pausedUntilMs.set(path, clock.monotonicMs() + pauseMs)
        log.warn('tokenizer_failed', { path, reason: error.message, pauseMs })
      }
      return null
    }
  }
  const count = (job: CountJob, tenant: string, signal?: AbortSignal): Promise<number | null> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(longestWaitMs, () => resolve(null))
      run(job, tenant, signal).then(resolve, reject).finally(cancel)
    })
  return {
    of: (path) => ({
      async prompt(conversation, signal) {
        if (conversationLength(conversation) > maxCharacters) return null
        return count(
          { type: 'prompt', path, conversation: pickCountedPart(conversation) },
          conversation.ownerId,
          signal,
        )
      },
      async texts(texts, ownerId) {
        if (texts.reduce((sum, text) => sum + text.length, 0) > maxCharacters) return null
        return count({ type: 'texts', path, texts }, ownerId)
      },
    }),
    async check(path) {
      formats.delete(path)
      pausedUntilMs.delete(path)
      const pool = await choosePool(path)
      try {
        const outcome = await pool.run({ type: 'check', path }, { tenant: 'operator' })
        return outcome.type === 'refused' ? outcome.reason : null
      } catch (error) {
        if (!(error instanceof WorkerPoolFailure)) throw error
        return `${path} cannot be loaded (${error.message})`
      }
    },
    async close() {
      await Promise.all([jsonPool.close(), ggufPool.close()])
    },
  }
}

const openPools = (clock: Clock) => {
  const options = {
    timeoutMs,
    threads,
    maxRunningPerTenant: threads - 1,
    resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    clock,
  }
  const jsonPool = new WorkerPool<CountJob, CountOutcome>({
    ...options,
    file: new URL('./tokenizer-thread.ts', import.meta.url),
    name: 'tokenizer',
  })
  const ggufPool = new WorkerPool<CountJob, CountOutcome>({
    ...options,
    file: new URL('./gguf-process.ts', import.meta.url),
    name: 'tokenizer process',
    processEnv: workerEnvironment(),
  })
  return { jsonPool, ggufPool }
}

const conversationLength = ({ messages, tools, rawPrompt }: Conversation): number => {
  let characters = tools.length === 0 ? 0 : JSON.stringify(tools).length
  if (typeof rawPrompt === 'string') characters += rawPrompt.length
  for (const { content, reasoning, toolCalls = [] } of messages) {
    characters += content.length + (reasoning?.length ?? 0)
    for (const call of toolCalls) characters += call.arguments.length
  }
  return characters
}

/**
 * Without images and audio, which are not counted here: copying them to the thread would cost as much as counting the text.
 * Without the format of the answer, the prompt as it is sent, and the function that compares upstreams, which cannot be copied at all.
 */
const pickCountedPart = ({
  answer: _answer,
  isAcceptedBy: _isAcceptedBy,
  written: _written,
  ...conversation
}: Conversation): Conversation => ({
  ...conversation,
  messages: conversation.messages.map(withoutParts),
})

const withoutParts = (message: ChatMessage): ChatMessage => {
  if (message.parts === undefined) return message
  const { parts: _, ...rest } = message
  return rest
}
