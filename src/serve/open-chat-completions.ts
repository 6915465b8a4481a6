import { type ChatCompletions, createChatCompletions } from '../api/chat-completions/handler.ts'
import { openRequestReader } from '../api/chat-completions/request/request-reader.ts'
import { openGrammarCompiler } from '../api/generation/compile/grammar-compiler.ts'
import { createExecuteRequest } from '../api/generation/execute-request.ts'
import { createByteBudget } from '../base/byte-budget.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { Replays } from '../replay/replays.ts'
import type { CompletionRecords } from '../store/contract.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { Closers } from './closers.ts'

type ChatCompletionsOptions = {
  config: Config
  clock: Clock
  models: Models
  limiter: Limiter
  ledger: Ledger
  bodies: BodyWriter
  replays: Replays
  completions: CompletionRecords
  closers: Closers
}

/** The handler of `POST /v1/chat/completions`, with the threads that read requests and compile grammars. */
export const openChatCompletions = (options: ChatCompletionsOptions): ChatCompletions => {
  const { config, clock, models, limiter, ledger, bodies, replays, completions, closers } = options
  const { bodyLimitBytes } = config
  const requestReader = openRequestReader({ bodyLimitBytes, clock })
  closers.add(() => requestReader.close())
  const compiler = openGrammarCompiler({ clock })
  closers.add(() => compiler.close())
  const execute = createExecuteRequest({
    compiler,
    ledger,
    bodies,
    completions,
    clock,
    answerBuffer: createByteBudget(config.answerBufferLimitBytes),
    answerLimitBytes: config.answerLimitBytes,
    answerReservationTokens: config.answerReservationTokens,
  })
  return createChatCompletions({
    models,
    limiter,
    requestReader,
    bodies,
    replays,
    execute,
    clock,
    bodyLimitBytes,
    generationTimeoutMs: config.generationTimeoutMs,
    heartbeatMs: config.heartbeatMs,
    stallTimeoutMs: config.stallTimeoutMs,
  })
}
