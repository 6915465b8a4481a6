import type { Elsewhere } from '../api/generation/accept/accept-request.ts'
import { createRecordRefusal, type RecordRefusal } from '../api/generation/accept/record-refusal.ts'
import { type CachedExecutionDependencies, createCachedExecution } from '../api/generation/cache/cached-execution.ts'
import { openGrammarCompiler } from '../api/generation/compile/grammar-compiler.ts'
import { createRecordingSizes } from '../api/generation/delivery/recording-sizes.ts'
import type { Dialect } from '../api/generation/dialect.ts'
import { createExecuteRequest } from '../api/generation/execute-request.ts'
import { createGenerationHandler, type GenerationHandler } from '../api/generation/generation-handler.ts'
import type { Hooks } from '../api/generation/hooks/open-hooks.ts'
import type { GenerationRequest } from '../api/generation/request/generation-request.ts'
import { createByteBudget } from '../base/byte-budget.ts'
import type { ByteUse } from '../base/byte-use.ts'
import type { Clock } from '../base/clock.ts'
import type { DiskSpace } from '../base/disk-space.ts'
import type { Config } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { Replays } from '../replay/replays.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { RefusalLog } from '../usage/refusal-log.ts'
import type { Closers } from './closers.ts'

type GenerationOptions = {
  config: Config
  clock: Clock
  models: Pick<Models, 'list' | 'find'>
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  refusals: Pick<RefusalLog, 'add'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  replays: Pick<Replays, 'open' | 'isKnown'>
  hooks: Hooks | undefined
  /** Null: no answers are cached. */
  cached: CachedAnswers | null
  disk: DiskSpace
  /** Of answers that clients have not received yet, if other threads use that memory, too. */
  answerUse?: ByteUse
  /** Only in a worker. */
  elsewhere?: Elsewhere
  closers: Closers
}

type CachedAnswers = Pick<CachedExecutionDependencies, 'cache' | 'policy' | 'findCachedPrice' | 'onLookup'>

/** What a route needs of an endpoint that generates text. */
type GenerationEndpoint = { handle: GenerationHandler; onError: RecordRefusal }

export type OpenEndpoint = <Request extends GenerationRequest, Document extends object>(
  dialect: Dialect<Request, Document>,
) => GenerationEndpoint

/** What all endpoints that generate text share, with the threads that compile grammars. */
export const openGeneration = (options: GenerationOptions): OpenEndpoint => {
  const { config, clock, models, limiter, ledger, refusals, bodies, replays, hooks, cached, disk, closers } = options
  const compiler = openGrammarCompiler({ clock })
  closers.add(() => compiler.close())
  const generate = createExecuteRequest({
    compiler,
    ledger,
    bodies,
    clock,
    disk,
    answerBuffer: createByteBudget(config.answerBufferLimitBytes, options.answerUse),
    answerLimitBytes: config.answerLimitBytes,
    answerReservationTokens: config.answerReservationTokens,
    partLimitBytes: config.partLimitBytes,
    partsLimitBytes: config.partsLimitBytes,
  })
  const execute =
    cached === null
      ? generate
      : createCachedExecution(generate, { ...cached, ledger, bodies, clock, hookSettings: config.hooks })
  const dependencies = {
    models,
    limiter,
    bodies,
    replays,
    sizes: createRecordingSizes(),
    execute,
    hooks,
    caching: cached?.policy,
    clock,
    bodyLimitBytes: config.bodyLimitBytes,
    generationTimeoutMs: config.generationTimeoutMs,
    heartbeatMs: config.heartbeatMs,
    stallTimeoutMs: config.stallTimeoutMs,
    strictRequests: config.strictRequests,
    ...(options.elsewhere === undefined ? {} : { elsewhere: options.elsewhere }),
  }
  return (dialect) => ({
    handle: createGenerationHandler(dialect, dependencies),
    onError: createRecordRefusal({ refusals, clock, endpoint: dialect.endpoint }),
  })
}
