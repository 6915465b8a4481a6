import { ApiError } from '../../base/api-error.ts'
import { asBatched, type Batched } from '../../base/batches.ts'
import type { Conversation, EngineEvent, Sampling } from '../contract.ts'
import { messagesWithMedia } from '../media-parts.ts'
import { type Asked, acceptedRequest } from './accepted-request.ts'
import type { AnswerReader } from './answer-reader.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { createEventData, type EventData, type EventValue } from './event-data.ts'
import { createPassedEvents, type PassedEvents } from './passed-events.ts'
import { createPlainChunk } from './plain-chunk.ts'
import { promptDefinitions } from './prompt-definitions.ts'
import { failed, parseBeginning, parseDocument, readBeginning, readRefusal } from './read-response.ts'
import { readerFor } from './reader-for.ts'
import { createReadingTurns, maxBytesAtOnce } from './reading-turns.ts'
import { nativeFor } from './responses/native-for.ts'
import type { SentResponses } from './responses/native-from-chat.ts'
import { outputLimit } from './responses/responses-body.ts'
import { sendRequest } from './send-request.ts'
import type { UpstreamCall } from './upstream-call.ts'
import { createUpstreamCounts, type UpstreamCounts } from './upstream-counts.ts'
import { isEventStream } from './upstream-head.ts'

/** How often a request is sent again in another form. */
const maxChanges = 2
const maxBytes = 32 * 1024 * 1024
/** The part of a JSON answer that does not depend on its number of tokens. */
const maxOtherBytes = 1024 * 1024
/** An event with twenty log probabilities has about 4 KiB. */
const maxBytesPerToken = 16 * 1024

/** Asks an upstream for one answer and yields its events, as an engine does; those that arrive together in one batch. */
export const readAnswer = (
  upstream: AnsweringUpstream,
  conversation: Conversation,
  sampling: Sampling,
  /** Counted with the tokenizer of the model; null if it is not known. */
  countedTokens: number | null,
  signal: AbortSignal,
): Batched<EngineEvent> => asBatched(readBatches(upstream, conversation, sampling, countedTokens, signal))

async function* readBatches(
  upstream: AnsweringUpstream,
  conversation: Conversation,
  sampling: Sampling,
  countedTokens: number | null,
  signal: AbortSignal,
): AsyncGenerator<readonly EngineEvent[], void> {
  signal.throwIfAborted()
  let asked: Asked = { conversation, sampling, native: nativeFor(upstream, conversation, sampling) }
  let stream = isStreamed(upstream, asked)
  const first = sendRequest(upstream, asked, stream, signal)
  let call = first instanceof Promise ? await first : first
  const counts = readCounts(upstream, asked, countedTokens)
  const accepted = acceptedEvent(counts)
  let isAccepted = false
  /** That it was accepted has been passed on. */
  let isPassed = false
  /** The last call was, and no other has been sent in its place. */
  let isRefused = false
  let isComplete = false
  try {
    let head = await call.head
    for (let changes = 0; ; changes += 1) {
      isRefused = head.status !== 200
      const refused = await readRefusal(head, call, upstream)
      if (refused === null) break
      if (changes === maxChanges) throw refused
      asked = acceptedRequest(refused, upstream, asked)
      call.close(true)
      stream = isStreamed(upstream, asked)
      call = await sendRequest(upstream, asked, stream, signal)
      isRefused = false
      head = await call.head
    }
    const { native } = asked
    if (native?.isTranslated && upstream.chatByResponses.remember(conversation))
      upstream.log.info('upstream_chat_by_responses', { model: upstream.name })
    const reader = readerFor(upstream, sampling, conversation, native)
    const passing = createPassedEvents({ ...upstream, maxTokens: sampling.maxTokens, scope: conversation.cacheScope })
    if (isEventStream(head, stream)) {
      isAccepted = true
      const isChat = upstream.dialect.wire !== 'messages' && native === null
      const maxLineBytes = native === null ? undefined : maxBytes
      const data = createEventData(isChat ? createPlainChunk() : null, maxLineBytes, reader.lastTypes)
      const limitBytes = streamLimitBytes(sampling, native)
      const reading = { call, tenant: conversation.ownerId, reader, data, passing, counts, limitBytes }
      for await (const { events, isEnd, isCut } of readEvents(reading)) {
        isComplete = isEnd
        const reason = isCut ? 'length' : reader.reason()
        if ((isEnd || isCut) && reason !== null) {
          const total = counts.counts(reader.usage(), outputLimit(sampling, native?.isTranslated))
          // Awaiting a value that is there would cost every answer a turn.
          const stopped = isCut ? {} : foundStop(reader, sampling)
          events.push({ type: 'end', reason, ...(total instanceof Promise ? await total : total), ...stopped })
        }
        if (!isPassed) events.unshift(accepted)
        isPassed = true
        yield events
        if (isCut) return
      }
      if (reader.reason() === null) throw failed('its answer ended without a finish_reason')
    } else {
      isPassed = true
      const document = await readBeginning(call, documentLimitBytes(sampling, native))
      isComplete = document.isWhole
      const events = await readDocument(document, reader, passing, counts, sampling, native)
      isAccepted = true
      yield [accepted, ...events]
    }
  } catch (error) {
    if (signal.aborted) {
      // The head of a JSON response comes with the answer, but the prompt has been read for a client that left.
      const isOpen = !isAccepted && !isRefused && call.isSent()
      const isBilled = isOpen && !stream && !(signal.reason instanceof ApiError)
      if (isBilled || (isAccepted && !isPassed)) yield [accepted]
      throw signal.reason
    }
    if (isAccepted) call.blame(error instanceof ApiError ? error.errorName : 'upstream_failed')
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    call.close(isComplete)
  }
}

/** Helix can end an answer at a stop text only while it arrives. */
const isStreamed = (upstream: AnsweringUpstream, { conversation, sampling, native }: Asked): boolean => {
  const fields = conversation.rawPrompt === undefined ? upstream.fields : upstream.rawPromptFields
  return (
    conversation.answer?.stream !== false || (sampling.stops.length > 0 && !(native === null && fields.has('stop')))
  )
}

const acceptedEvent = ({ expectedPromptTokens, isPromptCounted }: UpstreamCounts): EngineEvent => ({
  ...{ type: 'accepted', promptTokens: expectedPromptTokens },
  ...(isPromptCounted ? { isCounted: true } : {}),
})

/** A response repeats the instructions and the tools of its request, and has what built-in tools have made, such as images. */
const documentLimitBytes = ({ maxTokens }: Sampling, native: SentResponses | null): number =>
  maxTokens === null || native !== null ? maxBytes : Math.min(maxBytes, maxOtherBytes + maxBytesPerToken * maxTokens)

/** The events of built-in tools have what they make up to four times: as a draft, by itself, in its item and in the response. */
const streamLimitBytes = ({ maxTokens }: Sampling, native: SentResponses | null): number =>
  (native === null || native.builtInTools.length === 0 ? maxBytes : 4 * maxBytes) + maxBytesPerToken * (maxTokens ?? 0)

const readCounts = (
  { counter, log }: AnsweringUpstream,
  { conversation, sampling: { maxTokens }, native }: Asked,
  countedTokens: number | null,
): UpstreamCounts => {
  const { answer, rawPrompt, ownerId, written } = conversation
  const knownTokens = typeof rawPrompt === 'object' ? rawPrompt.length : countedTokens
  return createUpstreamCounts({
    messages: written === undefined ? conversation.messages : messagesWithMedia(conversation),
    ...(typeof rawPrompt === 'string' ? { rawText: rawPrompt } : {}),
    ...(written === undefined
      ? { definitions: promptDefinitions(conversation.tools, answer?.format ?? null) }
      : { estimated: written.tokens }),
    ...(knownTokens === null ? {} : { knownPromptTokens: knownTokens }),
    ...(counter === null ? {} : { countTexts: (texts: readonly string[]) => counter.texts(texts, ownerId) }),
    limit: maxTokens,
    furtherTokens: native === null || native.isTranslated ? 0 : furtherTokens(native),
    log,
  })
}

/** What a provider adds to a prompt for its own tools, and what these find, cannot be estimated here: only nonsense is not believed. */
const maxBuiltInTokens = 10_000_000

/** How many more tokens the prompt may have than its messages: a token has at least one byte. */
const furtherTokens = ({ input, members, builtInTools }: SentResponses): number => {
  const texts = [...input.map(({ json }) => json), ...Object.values(members)]
  return texts.reduce((sum, { length }) => sum + length, builtInTools.length === 0 ? 0 : maxBuiltInTokens)
}

/** One for all upstreams: they share the thread. */
const readingTurns = createReadingTurns()

type EventReading = {
  call: UpstreamCall
  /** Whose answer it is. */
  tenant: string
  reader: AnswerReader
  data: EventData
  passing: PassedEvents
  counts: UpstreamCounts
  limitBytes: number
}

async function* readEvents({
  call,
  tenant,
  reader,
  data,
  passing,
  counts,
  limitBytes,
}: EventReading): AsyncGenerator<{ events: EngineEvent[]; isEnd: boolean; isCut: boolean }, void> {
  let bytesRead = 0
  let isPromptKnown = false
  /** The first value is passed on even if there is no event in it: it shows that the upstream has accepted the request. */
  let isBegun = false
  let hasYielded = false
  for (let isEnd = false; !isEnd; ) {
    const turn = readingTurns.wait(tenant, call.heldBytes())
    if (turn !== undefined) await turn
    const bytes = takeUnlessFinished(call, reader)
    if (bytes === undefined) {
      await call.changed()
      continue
    }
    bytesRead += bytes?.length ?? 0
    if (bytesRead > limitBytes) throw failed(`its answer has more than ${limitBytes} bytes`)
    const events: EngineEvent[] = []
    const values = bytes === null ? readEnd(data, reader) : data.push(bytes)
    if (values.length > 0) call.progressed()
    for (const value of values)
      if ('texts' in value) reader.readTexts(value.texts, events)
      else reader.read(value.json, events)
    isBegun ||= values.length > 0
    isEnd = bytes === null || data.isDone() || reader.isDone?.() === true
    if (isEnd) reader.end(events)
    const limited = passing.pass(events, isEnd)
    // Awaiting a value that is there would cost every part a turn.
    const { events: passed, isReached: isCut } = limited instanceof Promise ? await limited : limited
    for (const event of passed) counts.add(event)
    // Some report it with each chunk, so that it is known even if the answer breaks off.
    if (!isPromptKnown && !isEnd && reader.reason() === null && reader.usage() !== null) {
      isPromptKnown = true
      const promptTokens = counts.reportedPrompt(reader.usage())
      if (promptTokens !== null) passed.unshift({ type: 'accepted', promptTokens, isCounted: true })
    }
    if (isCut || passed.length > 0 || (isBegun && (isEnd || !hasYielded))) {
      hasYielded = true
      yield { events: passed, isEnd, isCut }
    }
    if (isCut) return
  }
}

/** A response that breaks off after its finish reason is a complete answer; only its counts may be missing. */
const takeUnlessFinished = (call: UpstreamCall, reader: AnswerReader): Buffer | null | undefined => {
  try {
    return call.take(maxBytesAtOnce)
  } catch (error) {
    if (reader.reason() === null) throw error
    return null
  }
}

const readEnd = (data: EventData, reader: AnswerReader): EventValue[] => {
  try {
    return data.end()
  } catch (error) {
    if (reader.reason() === null) throw error
    return []
  }
}

/**
 * An answer that is far longer than the request allows ends at its limit, as a stream does: no more is read than an answer can have that keeps
 * it. The first part stands for all tokens, so that they are counted even if the answer is cut at a stop text.
 */
const readDocument = async (
  { bytes, isWhole }: { bytes: Buffer; isWhole: boolean },
  reader: AnswerReader,
  passing: PassedEvents,
  counts: UpstreamCounts,
  sampling: Sampling,
  native: SentResponses | null,
): Promise<EngineEvent[]> => {
  const read: EngineEvent[] = []
  const document = isWhole ? parseDocument(bytes) : parseBeginning(bytes)
  const tooLong = (): ApiError => failed(`its answer has more than ${bytes.length} bytes`)
  if (document === undefined) throw tooLong()
  reader.read(document, read)
  reader.end(read)
  const { events, isReached } = await passing.pass(read, true)
  if (!isWhole && !isReached) throw tooLong()
  const reason = isReached ? 'length' : reader.reason()
  if (reason === null) throw failed('its answer has no finish_reason')
  for (const event of events) counts.add(event)
  const total = await counts.counts(reader.usage(), outputLimit(sampling, native?.isTranslated))
  let tokens = total.completionTokens
  const counted = events.map((event): EngineEvent => {
    if (!('text' in event)) return event
    const one = { ...event, tokens }
    tokens = 0
    return one
  })
  return [...counted, { type: 'end', reason, ...total, ...(isReached ? {} : foundStop(reader, sampling)) }]
}

/** Only one of the request is believed. */
const foundStop = ({ stopText }: AnswerReader, { stops }: Sampling): { stopText?: string } => {
  const found = stopText?.() ?? null
  return found !== null && stops.includes(found) ? { stopText: found } : {}
}
