import { ApiError } from '../../../base/api-error.ts'
import { toBatches } from '../../../base/batches.ts'
import type { ByteBudget, ByteLease } from '../../../base/byte-budget.ts'
import type { Clock } from '../../../base/clock.ts'
import { createFloodTurns } from '../../../base/take-turns.ts'
import type { Delivery, ResponseEnd } from '../delivery/delivery.ts'
import type { AnswerFormatter, StoredAnswer } from '../dialect.ts'
import type { ChoiceCounts, NumberedEvent } from '../output/choice.ts'
import { readAhead } from '../output/read-ahead.ts'
import { promptIndex } from '../prompt/prompts.ts'
import type { RequestAccounting } from '../reservation/request-accounting.ts'
import type { Usage } from './answer-part.ts'
import { beginsOnce, countParts, eventBytes } from './begins-once.ts'
import type { BodyCopy } from './body-copy.ts'
import { type ChoiceCollector, createChoiceCollector, textBytes } from './choice-collector.ts'
import { promptCopies, repeatedBytes, scoredBytes } from './least-answer-bytes.ts'
import { type ChoicesOptions, newCounts, runChoices } from './run-choices.ts'
import { sendFailure, streamResponse } from './stream-response.ts'
import { totalUsage } from './total-usage.ts'
import { writeInTurns } from './write-in-turns.ts'

/** Generates the choices of one request and delivers them, as a stream or as one document. */
export type GenerateOptions = ChoicesOptions & {
  ownerId: string
  clock: Clock
  /** Shared by all answers, for output that slow clients have not read yet. */
  answerBuffer: ByteBudget
  answerLimitBytes: number
  accounting: Pick<RequestAccounting, 'meter' | 'prefilled' | 'begun' | 'finished'>
  /** Collects what was sent, if that is kept. */
  copy: BodyCopy | null
  openAnswer(usage: () => Usage): OpenedAnswer
  delivery: Delivery
  signal: AbortSignal
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

/** A document of a shorter answer is written at once. */
const shortBytes = 65_536

const eventSize = ([, event]: NumberedEvent): number => eventBytes * countParts(event) + textBytes(event)

const startReadAhead = (answer: GenerateOptions, counts: readonly ChoiceCounts[]): AsyncIterable<NumberedEvent> => {
  const { ownerId, slot, signal, answerBuffer, answerLimitBytes, clock } = answer
  const lease = answerBuffer.lease(ownerId, 0)
  return readAhead({
    open: (until) => runChoices(answer, counts, until),
    measure: eventSize,
    hold: (bytes) => (lease?.resize(bytes) ?? false) && bytes <= answerLimitBytes,
    onRead: createFloodTurns(ownerId, clock),
    signal,
    onStall: slot.suspend,
    onContinue: slot.resume,
    onEnd: slot.release,
  })
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
    for await (const batch of toBatches(runChoices(answer, counts, signal))) {
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
