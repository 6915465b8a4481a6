import { ApiError } from '../../../base/api-error.ts'
import type { ByteBudget } from '../../../base/byte-budget.ts'
import type { Engine, PreparedPrompt, ServedModel } from '../../../engine/contract.ts'
import type { RequestTrace } from '../../../traces/request-trace.ts'
import { refuseUnsupported } from '../accept/refuse-unsupported.ts'
import { leastAnswerBytes, scoredBytes } from '../answer/least-answer-bytes.ts'
import { type CompletionCaller, toEngineCaller } from '../completion-caller.ts'
import type { Dialect } from '../dialect.ts'
import { type GenerationRequest, mediaMessagesIn } from '../request/generation-request.ts'
import { checkMedia, type MediaLimits } from '../request/media/check-media.ts'
import { estimateTokens } from '../reservation/estimate-tokens.ts'
import { lowerTokenLimit } from '../reservation/token-limit.ts'
import { preparePrompts } from './prepare-prompts.ts'
import { longestPromptTokens, type Prompts, promptSize, sumCountedTokens, sumPromptTokens } from './prompts.ts'

type PreparedExecution = {
  request: GenerationRequest
  dialect: Pick<Dialect, 'lowersTokenLimit'>
  caller: CompletionCaller
  signal: AbortSignal
  trace: RequestTrace | null
}

type PrepareDependencies = MediaLimits & {
  answerBuffer: ByteBudget
  answerLimitBytes: number
  answerReservationTokens: number
}

/** Renders and counts its prompts, refuses what the engine cannot answer, and estimates the most that it may use. */
export const prepareRequest = async (
  engine: Engine,
  { request: received, dialect, caller, signal, trace }: PreparedExecution,
  dependencies: PrepareDependencies,
) => {
  const { model } = engine
  // Checked again, because the model's features may not have been known when the request arrived.
  refuseUnsupported(received, model)
  checkMedia(mediaMessagesIn(received.prompt), model, dependencies)
  const prompts = await preparePrompts(received, engine, toEngineCaller(caller, trace), signal)
  const countedTokens = sumCountedTokens(prompts)
  const known = countedTokens === undefined ? {} : { countedTokens }
  const longest = { promptTokens: longestPromptTokens(prompts), ...known }
  const request = dialect.lowersTokenLimit
    ? lowerTokenLimit(received, model, promptSize(received, model, longest))
    : received
  refuseBeyondContext(request, model, longest)
  refuseTooLarge(request, prompts, dependencies)
  const counted = { promptTokens: sumPromptTokens(prompts), ...known }
  const max = estimateTokens(request, model, promptSize(received, model, counted), dependencies)
  return { request, prompts, counted, max }
}

/** An answer that cannot be kept in memory as a whole, however it ends, is refused before anything is computed for it. */
const refuseTooLarge = (
  request: GenerationRequest,
  prompts: Prompts,
  { answerLimitBytes, answerBuffer }: PrepareDependencies,
): void => {
  if (request.stream) return
  const refuse = (limitBytes: number): ApiError => ApiError.of('answer_too_large', { limitBytes })
  if (leastAnswerBytes(request, prompts) > answerLimitBytes) throw refuse(answerLimitBytes)
  if (scoredBytes(request, prompts) > answerBuffer.maxBytes) throw refuse(answerBuffer.maxBytes)
}

const refuseBeyondContext = (
  { sampling: { maxTokens }, fields }: GenerationRequest,
  { contextTokens }: ServedModel,
  { promptTokens }: Pick<PreparedPrompt, 'promptTokens'>,
): void => {
  if (contextTokens === null || promptTokens === null) return
  const param = fields.prompt
  const leftTokens = contextTokens - promptTokens
  if (leftTokens < 1) throw ApiError.of('context_length_exceeded', { contextTokens, promptTokens }, { param })
  if (maxTokens === null || maxTokens <= leftTokens) return
  throw ApiError.of(
    'context_length_requested',
    { contextTokens, totalTokens: promptTokens + maxTokens, promptTokens, completionTokens: maxTokens },
    { param },
  )
}
