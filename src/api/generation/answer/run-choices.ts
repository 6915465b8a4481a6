import { newId } from '../../../base/ids.ts'
import type { PauseSwitch } from '../../../base/pause-switch.ts'
import type { Constraint, Sampling, ServedModel } from '../../../engine/contract.ts'
import type { Slot } from '../../../schedule/request-queue.ts'
import { maxParallelCalls } from '../compile/constraint.ts'
import { type ChoiceCounts, type NumberedEvent, readChoice } from '../output/choice.ts'
import { interleave } from '../output/interleave.ts'
import { OutputParser } from '../output/output-parser.ts'
import { callStart } from '../output/segments.ts'
import { type Prompts, promptIndex } from '../prompt/prompts.ts'
import type { BodyExtracts, GenerationRequest, RequestCalling } from '../request/generation-request.ts'
import type { Allowance } from '../reservation/allowance.ts'
import type { RequestAccounting } from '../reservation/request-accounting.ts'
import type { Usage } from './answer-part.ts'
import type { EarlyStart } from './early-start.ts'
import { totalUsage } from './total-usage.ts'

/** What decides how an answer is generated. */
export type SampledRequest = {
  request: Omit<GenerationRequest, 'grammar' | keyof BodyExtracts>
  /** What the model can do, such as calling tools; null while that is not known. */
  features: ServedModel['features']
  prompts: Prompts
  /** Applies to every choice. */
  constraint: Constraint | null
  /** Texts of an upstream may come in several pieces at once: see `TextPieces`. */
  takesPieces: boolean
}

/** Has the engine generate the choices of one request. */
export type ChoicesOptions = SampledRequest & {
  allowance: Allowance
  /** Released with the last token of the engine, however slowly the answer is read. */
  slot: Slot
  /** The pause switch of the slot; absent if the engine cannot pause. */
  pausing?: PauseSwitch | undefined
  accounting: Pick<RequestAccounting, 'meter' | 'prefilled' | 'begun'>
  /** What hooks do with it. */
  rewrite?: ((events: AsyncIterable<NumberedEvent>, signal: AbortSignal) => AsyncIterable<NumberedEvent>) | undefined
  /** The answer of the only choice, if it has begun already. */
  early: Pick<EarlyStart, 'take'> | null
}

export const newCounts = (promptTokens: number | null): ChoiceCounts => ({
  promptTokens: promptTokens ?? 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
})

/** The events of all choices, after hooks. */
export const runChoices = (...args: Parameters<typeof openChoices>): AsyncIterable<NumberedEvent> => {
  const [{ rewrite }, , signal] = args
  const events = openChoices(...args)
  return rewrite === undefined ? events : rewrite(events, signal)
}

const openChoices = (
  answer: ChoicesOptions,
  counts: readonly ChoiceCounts[],
  signal: AbortSignal,
): AsyncIterable<NumberedEvent> => {
  const { accounting, request, prompts, allowance, slot, pausing, early } = answer
  const total = (): Usage => totalUsage(counts, prompts.length)
  let hasBegun = false
  /** By the index of a prompt. */
  const isRead: boolean[] = []
  const onEngineEvent = (type: 'accepted' | 'part' | 'end', own: ChoiceCounts, index: number): void => {
    if (own.promptTokens === 0) own.promptTokens = prompts[index]?.promptTokens ?? 0
    slot.used(total())
    if (type === 'part' && isRead[index]) return
    // The first event of the engine tells that the prompt was read, its last how much of it was cached. An upstream that
    // has accepted the prompt reads it, even if its answer is not wanted for long enough.
    const { promptTokens, cachedTokens } = total()
    const isEstimated = counts.some((one) => one.isEstimated)
    accounting.meter.prompt(promptTokens, cachedTokens, isEstimated)
    accounting.prefilled()
    if (type === 'accepted') return
    if (!hasBegun && type === 'part') accounting.begun()
    hasBegun = true
    isRead[index] = true
  }
  const open = (choice: number, until: AbortSignal, choicePausing?: PauseSwitch) => {
    const index = promptIndex(choice, prompts, request.n)
    const prompt = prompts[index] ?? prompts[0]
    const own = counts[choice] ?? newCounts(null)
    const events = early?.take(until) ?? prompt.generate(choiceSampling(answer, choice), until, choicePausing)
    return readChoice(events, {
      choice,
      parser: createParser(answer),
      counts: own,
      calledReason: request.calling?.finishReason ?? 'tool_calls',
      takeToken: allowance.take,
      takeTokens: allowance.takeMany,
      returnTokenIds: request.returnTokenIds,
      onEngineEvent: (type) => onEngineEvent(type, own, index),
    })
  }
  if (request.n === 1) return open(0, signal, pausing)
  return interleave({
    count: request.n,
    open: (choice, broken, choicePausing) => open(choice, AbortSignal.any([signal, broken]), choicePausing),
    tryTake: slot.tryExtra,
    takeLater: slot.extraAsked,
    pausing,
    yieldOwn: (broken) => slot.yield(AbortSignal.any([signal, broken])),
    releaseOwn: slot.release,
  })
}

/** A raw prompt is continued with plain text only. */
const isRaw = ({ prompt }: Pick<GenerationRequest, 'prompt'>): boolean => prompt.type === 'raw'

const createParser = ({ request, features }: ChoicesOptions): OutputParser => {
  const { calling, sampling } = request
  return new OutputParser({
    stops: sampling.stops,
    maxCalls: maxToolCalls(calling),
    reasoning: !isRaw(request) && (features?.has('reasoning') ?? false),
    logprobs: sampling.topLogprobs !== null,
    // Clients find the end of the prompt by counting tokens from the end.
    keepsTokens: isRaw(request) && sampling.promptLogprobs !== null,
    newCallId: () => newId('call'),
  })
}

/** How one choice is generated. */
export const choiceSampling = (
  { request, prompts, features, constraint, takesPieces }: SampledRequest,
  choice: number,
): Sampling => {
  const { calling, sampling } = request
  const choicesOfPrompt = request.n / prompts.length
  const mightCall = !isRaw(request) && features?.has('tools') && calling === null && constraint === null
  return {
    ...sampling,
    constraint,
    // A prompt whose log probabilities are wanted is read as a whole, so that is done once, for its first choice.
    promptLogprobs: choice % choicesOfPrompt === 0 ? sampling.promptLogprobs : null,
    ...(takesPieces ? { takesPieces } : {}),
    ...(isRaw(request) && sampling.promptLogprobs !== null ? { reportsEnd: true } : {}),
    // A model that can call tools might do so unasked.
    withoutText: mightCall ? callStart : null,
    // A prompt gets the same answers as in a request of its own.
    seed: sampling.seed === null ? null : (sampling.seed + (choice % choicesOfPrompt)) >>> 0,
  }
}

const maxToolCalls = (calling: RequestCalling | null): number => {
  if (calling === null) return 0
  return calling.parallel ? maxParallelCalls : 1
}
