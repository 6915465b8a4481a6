/**
 * Compiles schemas, patterns and lists of choices off the event loop, each within a time limit, and caches the results.
 * Owners of organisations take turns, and none of them can occupy all threads.
 */
import { createHash } from 'node:crypto'
import { ApiError, type ErrorOptions } from '../../../base/api-error.ts'
import { createByteCache } from '../../../base/byte-cache.ts'
import type { Clock } from '../../../base/clock.ts'
import { WorkerPool } from '../../../base/worker-pool.ts'
import { WorkerPoolFailure } from '../../../base/worker-pool-failure.ts'
import type { Constraint } from '../../../engine/contract.ts'
import { createGrammarJob, type GrammarJob } from './grammar-job.ts'
import type { CompileOutcome, GrammarSource } from './grammar-source.ts'
import { refusalError } from './refusal-error.ts'

export interface GrammarCompiler {
  /**
   * The constraint on the answer, or null. Throws an `ApiError` for what cannot be compiled within the limits, or the reason
   * of the signal.
   */
  compile(source: GrammarSource | GrammarJob | null, options: CompileOptions): Promise<Constraint | null>
  close(): Promise<void>
}

type CompileOptions = {
  organisationId: string
  ownerId: string
  /** How many answers it applies to; each sends a copy of the grammar to the engine. */
  answers: number
  signal: AbortSignal
}
type CompilerOptions = {
  clock: Clock
  timeoutMs?: number
  /** Replaces the real thread. */
  file?: URL
}

/**
 * Most compilations exceed their budget long before this; a legitimate large schema needs some of it on a busy machine, where
 * the thread has to wait for others.
 */
const defaultTimeoutMs = 30_000
const threads = 2
const memoryMb = 256
const cacheBytes = 32 * 1024 * 1024
/** The size of a cache entry without its grammar. */
const entryBytes = 500
/** Copying it to the engine is work on the event loop. */
const sentLimitBytes = 16 * 1024 * 1024
const retryAfterMs = 1_000

export const openGrammarCompiler = ({
  clock,
  timeoutMs = defaultTimeoutMs,
  file = new URL('./compile-thread.ts', import.meta.url),
}: CompilerOptions): GrammarCompiler => {
  const pool = new WorkerPool<string, CompileOutcome>({
    file,
    name: 'compile',
    timeoutMs,
    threads,
    maxRunningPerTenant: threads - 1,
    maxQueued: 256,
    maxQueuedPerTenant: 32,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    clock,
  })
  const known = createByteCache<CompileOutcome>(cacheBytes)
  const running = new Map<string, Promise<CompileOutcome>>()

  /** Concurrent requests for the same grammar wait for one result. */
  const findOutcome = (
    job: GrammarJob,
    { organisationId, ownerId }: CompileOptions,
  ): Promise<CompileOutcome> | CompileOutcome => {
    if (job.kind === 'refused') return { ok: false, refusal: job.refusal }
    const key = cacheKey(organisationId, job.text)
    const found = known.get(key) ?? running.get(key)
    if (found !== undefined) return found
    const outcome = pool.run(job.text, { tenant: ownerId }).finally(() => running.delete(key))
    running.set(key, outcome)
    outcome.then(
      (value) => known.set(key, knownOutcome(value), outcomeBytes(value)),
      // Waiting callers report the failure.
      () => {},
    )
    return outcome
  }

  return {
    async compile(source, options) {
      const { answers, signal } = options
      signal.throwIfAborted()
      if (source === null) return null
      const job = 'kind' in source ? source : createGrammarJob(source)
      try {
        const outcome = await orAborted(findOutcome(job, options), signal)
        if (!outcome.ok) throw refusalError(outcome.refusal, outcome.cpuMs)
        const { constraint } = outcome
        if (answers * (constraint?.grammar.length ?? 0) > sentLimitBytes)
          throw tooComplex(job, `for ${answers} answers it takes more than ${sentLimitBytes} bytes once compiled`)
        return constraint
      } catch (error) {
        throw error instanceof WorkerPoolFailure ? failureError(error, job, timeoutMs) : error
      }
    },
    close: () => pool.close(),
  }
}

/** Organisations do not share results, so that the time it takes does not reveal what others have compiled. */
const cacheKey = (organisationId: string, job: string): string =>
  createHash('sha256').update(organisationId).update('\0').update(job).digest('base64')

/** Finding it again costs nothing. */
const knownOutcome = (outcome: CompileOutcome): CompileOutcome =>
  outcome.ok ? outcome : { ok: false, refusal: outcome.refusal }

const outcomeBytes = (outcome: CompileOutcome): number => {
  if (!outcome.ok) return entryBytes + 2 * outcome.refusal.reason.length
  return entryBytes + (outcome.constraint?.grammar.length ?? 0)
}

const failureError = (failure: WorkerPoolFailure, job: GrammarJob, limitMs: number): unknown => {
  switch (failure.kind) {
    case 'timeout':
    case 'crashed':
      return tooComplex(job, `compiling it takes more than ${limitMs} ms or ${memoryMb} MB`, {
        cpuMs: limitMs,
        cause: failure,
      })
    case 'not_started':
    case 'queue_full':
    case 'tenant_queue_full':
      return ApiError.of('schema_compiler_busy', {}, { retryAfterMs, cause: failure })
    case 'closed':
      return ApiError.of('shutting_down', {}, { retryAfterMs, cause: failure })
    case 'failed':
      return failure
  }
}

const tooComplex = (job: GrammarJob, reason: string, options: Pick<ErrorOptions, 'cpuMs' | 'cause'> = {}): ApiError => {
  const { param } = job.kind === 'text' ? job : job.refusal
  return ApiError.of('schema_too_complex', { param, reason }, { param, ...options })
}

const orAborted = async <Value>(wait: Promise<Value> | Value, signal: AbortSignal): Promise<Value> => {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([wait, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
