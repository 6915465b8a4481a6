import { ApiError } from '../../../base/api-error.ts'
import { toBatches } from '../../../base/batches.ts'
import type { ByteBudget, ByteLease } from '../../../base/byte-budget.ts'
import type { Clock } from '../../../base/clock.ts'
import { newId } from '../../../base/ids.ts'
import type { PauseSwitch } from '../../../base/pause-switch.ts'
import { createFloodTurns } from '../../../base/take-turns.ts'
import type { Constraint, Sampling, ServedModel } from '../../../engine/contract.ts'
import type { Slot } from '../../../schedule/request-queue.ts'
import { maxParallelCalls } from '../compile/constraint.ts'
import type { Delivery, ResponseEnd } from '../delivery/delivery.ts'
import type { AnswerFormatter, StoredAnswer } from '../dialect.ts'
import { type ChoiceCounts, type NumberedEvent, readChoice } from '../output/choice.ts'
import { interleave } from '../output/interleave.ts'
import { OutputParser } from '../output/output-parser.ts'
import { readAhead } from '../output/read-ahead.ts'
import { callStart } from '../output/segments.ts'
import { type Prompts, promptIndex } from '../prompt/prompts.ts'
import type { BodyExtracts, GenerationRequest, RequestCalling } from '../request/generation-request.ts'
import type { Allowance } from '../reservation/allowance.ts'
import type { RequestAccounting } from '../reservation/request-accounting.ts'
import type { Usage } from './answer-part.ts'
import { beginsOnce, eventBytes } from './begins-once.ts'
import type { BodyCopy } from './body-copy.ts'
import { type ChoiceCollector, createChoiceCollector, textBytes } from './choice-collector.ts'
import { promptCopies, repeatedBytes, scoredBytes } from './least-answer-bytes.ts'
import { sendFailure, streamResponse } from './stream-response.ts'
import { totalUsage } from './total-usage.ts'
import { writeInTurns } from './write-in-turns.ts'

/** Generates the choices of one request and delivers them, as a stream or as one document. */
export type GenerateOptions = {
  request: Omit<GenerationRequest, 'grammar' | keyof BodyExtracts>
  ownerId: string
  clock: Clock
  /** What the model can do, such as calling tools; null while that is not known. */
  features: ServedModel['features']
  prompts: Prompts
  /** Applies to every choice. */
  constraint: Constraint | null
  allowance: Allowance
  /** Released with the last token of the engine, however slowly the answer is read. */
  slot: Slot
  /** The pause switch of the slot; absent if the engine cannot pause. */
  pausing?: PauseSwitch | undefined
  /** Shared by all answers, for output that slow clients have not read yet. */
  answerBuffer: ByteBudget
  answerLimitBytes: number
  accounting: Pick<RequestAccounting, 'meter' | 'prefilled' | 'begun' | 'finished'>
  /** Collects what was sent, if that is kept. */
  copy: BodyCopy | null
  openAnswer(usage: () => Usage): OpenedAnswer
  delivery: Delivery
  signal: AbortSignal
  /** What hooks do with it. */
  rewrite?: ((events: AsyncIterable<NumberedEvent>, signal: AbortSignal) => AsyncIterable<NumberedEvent>) | undefined
}

/** How one answer is written, and where it is stored; null if it is not. */
export type OpenedAnswer = { formatter: AnswerFormatter; storage: StoredAnswer | null }

/** All of an answer was delivered except its end. */
type GeneratedResponse = {
  end: ResponseEnd
  /** Counts the end as sent. */
  countEnd(): void
}

export const generateResponse = async (answer: GenerateOptions): Promise<GeneratedResponse> => {
  const { request, prompts } = answer
  const counts: ChoiceCounts[] = []
  for (let choice = 0; choice < request.n; choice += 1)
    // Later prompts are read later: they count from then on.
    counts.push(newCounts(promptIndex(choice, prompts, request.n) === 0 ? prompts[0].promptTokens : 0))
  const opened = answer.openAnswer(() => totalUsage(counts, prompts.length))
  if (request.stream) return stream(answer, counts, opened)
  const memory = leaseScored(answer)
  return collect(answer, counts, opened).finally(() => memory?.close())
}

const memoryRetryMs = 5_000

/** The log probabilities of prompts stay in memory as a whole until the answer is written, also while it is paused for others. */
const leaseScored = ({ request, prompts, ownerId, answerBuffer }: GenerateOptions): ByteLease | null => {
  const bytes = scoredBytes(request, prompts)
  if (bytes === 0) return null
  const lease = answerBuffer.lease(ownerId, bytes)
  if (lease === null) throw ApiError.of('answer_memory_full', {}, { retryAfterMs: memoryRetryMs })
  return lease
}

const newCounts = (promptTokens: number | null): ChoiceCounts => ({
  promptTokens: promptTokens ?? 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
})

/** A document of a shorter answer is written at once. */
const shortBytes = 65_536

const eventSize = ([, event]: NumberedEvent): number => eventBytes + textBytes(event)

const startReadAhead = (answer: GenerateOptions, counts: readonly ChoiceCounts[]): AsyncIterable<NumberedEvent> => {
  const { ownerId, slot, signal, answerBuffer, answerLimitBytes, clock } = answer
  const lease = answerBuffer.lease(ownerId, 0)
  return readAhead({
    open: (until) => runHooked(answer, counts, until),
    measure: eventSize,
    hold: (bytes) => (lease?.resize(bytes) ?? false) && bytes <= answerLimitBytes,
    onRead: createFloodTurns(ownerId, clock),
    signal,
    onStall: slot.suspend,
    onContinue: slot.resume,
    onEnd: slot.release,
  })
}

const runHooked = (...args: Parameters<typeof runChoices>): AsyncIterable<NumberedEvent> => {
  const [{ rewrite }, , signal] = args
  const events = runChoices(...args)
  return rewrite === undefined ? events : rewrite(events, signal)
}

const runChoices = (
  answer: GenerateOptions,
  counts: readonly ChoiceCounts[],
  signal: AbortSignal,
): AsyncIterable<NumberedEvent> => {
  const { accounting, request, prompts, allowance, slot, pausing } = answer
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
    return readChoice(prompt.generate(choiceSampling(answer, choice), until, choicePausing), {
      choice,
      parser: createParser(answer),
      counts: own,
      calledReason: request.calling?.finishReason ?? 'tool_calls',
      takeToken: allowance.take,
      returnTokenIds: request.returnTokenIds,
      onEngineEvent: (type) => onEngineEvent(type, own, index),
    })
  }
  if (request.n === 1) return open(0, signal, pausing)
  return interleave({
    count: request.n,
    open: (choice, broken, choicePausing) => open(choice, AbortSignal.any([signal, broken]), choicePausing),
    tryTake: slot.tryExtra,
    pausing,
    yieldOwn: (broken) => slot.yield(AbortSignal.any([signal, broken])),
    releaseOwn: slot.release,
  })
}

/** A raw prompt is continued with plain text only. */
const isRaw = ({ prompt }: Pick<GenerationRequest, 'prompt'>): boolean => prompt.type === 'raw'

const createParser = ({ request, features }: GenerateOptions): OutputParser => {
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

const choiceSampling = ({ request, prompts, features, constraint }: GenerateOptions, choice: number): Sampling => {
  const { calling, sampling } = request
  const choicesOfPrompt = request.n / prompts.length
  const mightCall = !isRaw(request) && features?.has('tools') && calling === null && constraint === null
  return {
    ...sampling,
    constraint,
    // A prompt whose log probabilities are wanted is read as a whole, so that is done once, for its first choice.
    promptLogprobs: choice % choicesOfPrompt === 0 ? sampling.promptLogprobs : null,
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

const newCollector = ({ request, prompts, answerLimitBytes }: GenerateOptions): ChoiceCollector =>
  createChoiceCollector({
    count: request.n,
    limitBytes: answerLimitBytes,
    startBytes: repeatedBytes(request, prompts),
    promptCopies: promptCopies(request, prompts),
  })

/** Nothing waits for a reader: the collector takes everything at once, within its own limit. */
const collect = async (
  answer: GenerateOptions,
  counts: readonly ChoiceCounts[],
  { formatter, storage }: OpenedAnswer,
): Promise<GeneratedResponse> => {
  const { accounting, copy, delivery, slot, signal, ownerId, clock } = answer
  const turnAfter = createFloodTurns(ownerId, clock)
  const collector = newCollector(answer)
  const begin = beginsOnce(delivery)
  try {
    for await (const batch of toBatches(runHooked(answer, counts, signal))) {
      let bytes = 0
      for (const numbered of batch) {
        begin(numbered)
        collector.add(numbered)
        countFinish(answer, numbered)
        bytes += eventSize(numbered)
      }
      const turn = turnAfter(bytes)
      if (turn !== undefined) await turn
    }
  } finally {
    slot.release()
  }
  const choices = collector.choices()
  const document = formatter.document(choices)
  await storage?.store(document)
  const isShort = collector.bytes() <= shortBytes
  const pieces = isShort ? [JSON.stringify(document)] : await writeInTurns(document, turnAfter)
  const { promptTokens, completionTokens } = totalUsage(counts, answer.prompts.length)
  return {
    end: { type: 'document', pieces, usedTokens: promptTokens + completionTokens },
    countEnd() {
      for (const [choice, one] of counts.entries())
        accounting.meter.emitted(choice, one.completionTokens, one.reasoningTokens)
      copy?.document(choices)
    },
  }
}

const stream = async (
  answer: GenerateOptions,
  counts: readonly ChoiceCounts[],
  { formatter, storage }: OpenedAnswer,
): Promise<GeneratedResponse> => {
  const { delivery, accounting, copy, request, signal } = answer
  const collector = storage === null ? null : newCollector(answer)
  const begin = beginsOnce(delivery)
  const onSent = (numbered: NumberedEvent): void => {
    const [choice, { emitted }] = numbered
    // An upstream may split its tokens into more pieces than it was allowed tokens.
    accounting.meter.emitted(
      choice,
      Math.min(emitted.tokens, request.sampling.maxTokens ?? emitted.tokens),
      emitted.reasoning,
    )
    copy?.sent(numbered)
  }
  const finishes = await streamResponse(startReadAhead(answer, counts), {
    delivery,
    formatter,
    onEvent(numbered) {
      begin(numbered)
      collector?.add(numbered)
      storage?.add?.(numbered)
      countFinish(answer, numbered)
    },
    onSent,
    signal,
  }).catch(async (error: unknown) => {
    await sendFailure(signal.aborted ? signal.reason : error, formatter, delivery)
    throw error
  })
  if (collector !== null) await storage?.store(formatter.document(collector.choices()))
  return {
    end: { type: 'events', events: formatter.lastEvents(finishes) },
    countEnd() {
      for (const finish of finishes) onSent(finish)
    },
  }
}

const countFinish = ({ accounting }: GenerateOptions, [, event]: NumberedEvent): void => {
  if (event.type === 'finish') accounting.finished(event.reason)
}
