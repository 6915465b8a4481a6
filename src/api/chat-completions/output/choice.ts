import type { EngineEvent } from '../../../engine/contract.ts'
import type { EmittedCounts } from './emitted-token-counter.ts'
import type { OutputParser, OutputPiece } from './output-parser.ts'

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call'

/** What happens in one choice, in order; exactly one `finish` ends it, and tells all that was not told yet. */
export type ChoiceEvent = OutputPiece | { type: 'finish'; reason: FinishReason; emitted: EmittedCounts }
/** Beside the number of its choice, and the ids of the tokens that came with it, where they are asked for. */
export type NumberedEvent = readonly [choice: number, event: ChoiceEvent, tokenIds?: readonly number[]]

/** Counts of one choice, right at every moment, also when it breaks off. */
export type ChoiceCounts = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
  /** Not all of them are exact, see `EngineEnd`. */
  isEstimated: boolean
}

type ChoiceOptions = {
  choice: number
  reader: OutputParser
  counts: ChoiceCounts
  /** How an answer that called is said to have ended. */
  calledReason: FinishReason
  /** Takes one of the tokens that are reserved for the answer; false ends it. */
  takeToken(): boolean | Promise<boolean>
  /** Events carry the ids of their tokens. */
  returnTokenIds: boolean
  /** Hears everything the engine says, once it is counted and before it is told. */
  onHeard(type: EngineEvent['type']): void
}

/** Tokens in, pieces out. A stop text, or the last call that is wanted, ends the engine's work as well. */
export async function* readChoice(
  events: AsyncIterable<EngineEvent>,
  { choice, reader, counts, calledReason, takeToken, returnTokenIds, onHeard }: ChoiceOptions,
): AsyncGenerator<NumberedEvent, void> {
  let ids: number[] = []
  const numbered = (event: ChoiceEvent): NumberedEvent => {
    if (!returnTokenIds) return [choice, event]
    const tokenIds = ids
    ids = []
    return [choice, event, tokenIds]
  }
  const finish = (reason: 'stop' | 'length'): NumberedEvent => {
    const emitted = { tokens: counts.completionTokens, reasoning: counts.reasoningTokens }
    return numbered({ type: 'finish', reason: reason === 'stop' && reader.calls > 0 ? calledReason : reason, emitted })
  }
  function* end(reason: 'stop' | 'length'): Generator<NumberedEvent, void> {
    const { pieces, stopped } = reader.flush()
    counts.reasoningTokens = reader.reasoningTokens
    for (const piece of pieces) yield numbered(piece)
    yield finish(stopped ? 'stop' : reason)
  }
  for await (const event of events) {
    if (event.type === 'accepted') {
      Object.assign(counts, { promptTokens: event.promptTokens, isEstimated: true })
      onHeard(event.type)
      continue
    }
    if (event.type === 'end') {
      const { type, reason, promptTokens, cachedTokens, completionTokens, isEstimated = false } = event
      Object.assign(counts, { promptTokens, cachedTokens, completionTokens, isEstimated })
      onHeard(type)
      yield* end(reason)
      return
    }
    const taken = takeToken()
    // Awaiting nothing costs a turn of the event loop for each token.
    if (taken !== true && !(await taken)) {
      yield* end('length')
      return
    }
    counts.completionTokens += 1
    if (returnTokenIds && event.id !== null) ids.push(event.id)
    onHeard(event.type)
    const { pieces, stopped } = reader.push(event)
    counts.reasoningTokens = reader.reasoningTokens
    for (const piece of pieces) yield numbered(piece)
    if (stopped) {
      yield finish('stop')
      return
    }
  }
  throw new Error('the engine ended its answer without an end event')
}
