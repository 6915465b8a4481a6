import type { EngineEnd, EngineEvent } from '../../../engine/contract.ts'
import type { EmittedCounts } from './emitted-token-counter.ts'
import type { OutputParser, OutputPiece } from './output-parser.ts'

export type FinishReason = EngineEnd['reason'] | 'tool_calls' | 'function_call'

/** What happens in one choice, in order. Exactly one `finish` ends it; with that all its tokens are emitted. */
export type ChoiceEvent = OutputPiece | { type: 'finish'; reason: FinishReason; emitted: EmittedCounts }
/** With the index of its choice and, if requested, the ids of its tokens. */
export type NumberedEvent = readonly [choice: number, event: ChoiceEvent, tokenIds?: readonly number[]]

/** The counts of one choice, correct at every moment, even if it is aborted. */
export type ChoiceCounts = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
  /** Some of them are estimates, see `EngineEnd`. */
  isEstimated: boolean
}

type ChoiceOptions = {
  choice: number
  parser: OutputParser
  counts: ChoiceCounts
  /** The finish reason of a choice with calls. */
  calledReason: FinishReason
  /** Uses one of the tokens reserved for the request; false ends the choice. */
  takeToken(): boolean | Promise<boolean>
  /** Events contain the ids of their tokens. */
  returnTokenIds: boolean
  /** Called with every event of the engine, once it is counted and before it is passed on. */
  onEngineEvent(type: 'accepted' | 'part' | 'end'): void
}

/** Turns engine events into those of a choice. A stop sequence, or the last call that is allowed, ends the engine's work. */
export async function* readChoice(
  events: AsyncIterable<EngineEvent>,
  { choice, parser, counts, calledReason, takeToken, returnTokenIds, onEngineEvent }: ChoiceOptions,
): AsyncGenerator<NumberedEvent, void> {
  let ids: number[] = []
  const numbered = (event: ChoiceEvent): NumberedEvent => {
    if (!returnTokenIds) return [choice, event]
    const tokenIds = ids
    ids = []
    return [choice, event, tokenIds]
  }
  const finish = (reason: EngineEnd['reason']): NumberedEvent => {
    const emitted = { tokens: counts.completionTokens, reasoning: counts.reasoningTokens }
    return numbered({ type: 'finish', reason: reason === 'stop' && parser.calls > 0 ? calledReason : reason, emitted })
  }
  function* end(reason: EngineEnd['reason'], reasoningTokens?: number): Generator<NumberedEvent, void> {
    const { pieces, stopped } = parser.flush()
    counts.reasoningTokens = reasoningTokens ?? Math.min(parser.reasoningTokens, counts.completionTokens)
    for (const piece of pieces) yield numbered(piece)
    yield finish(stopped ? 'stop' : reason)
  }
  for await (const event of events) {
    if (event.type === 'accepted') {
      Object.assign(counts, { promptTokens: event.promptTokens, isEstimated: true })
      onEngineEvent(event.type)
      continue
    }
    if (event.type === 'end') {
      const { type, reason, promptTokens, cachedTokens, completionTokens, isEstimated = false } = event
      Object.assign(counts, { promptTokens, cachedTokens, completionTokens, isEstimated })
      onEngineEvent(type)
      yield* end(reason, event.reasoningTokens)
      return
    }
    const taken = takeToken()
    // Awaiting nothing costs a turn of the event loop for each token.
    if (taken !== true && !(await taken)) {
      yield* end('length')
      return
    }
    counts.completionTokens += event.type === 'token' ? 1 : (event.tokens ?? 1)
    if (returnTokenIds && event.type === 'token' && event.id !== null) ids.push(event.id)
    onEngineEvent('part')
    const { pieces, stopped } = event.type === 'token' ? parser.push(event) : parser.pushParsed(event)
    counts.reasoningTokens = parser.reasoningTokens
    for (const piece of pieces) yield numbered(piece)
    if (stopped) {
      yield finish('stop')
      return
    }
  }
  throw new Error('the engine ended without an end event')
}
