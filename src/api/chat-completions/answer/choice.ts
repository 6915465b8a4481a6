import type { EngineEvent } from '../../../engine/contract.ts'
import type { AnswerPiece, AnswerReader } from './answer-reader.ts'

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call'

/** What happens in one choice, in order; exactly one `finish` ends it. */
export type ChoiceEvent = AnswerPiece | { type: 'finish'; reason: FinishReason }
/** Beside the number of its choice. */
export type NumberedEvent = readonly [choice: number, event: ChoiceEvent]

/** Counts of one choice, right at every moment, also when it breaks off. */
export type ChoiceCounts = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
  /** Ids of the tokens that no event has told yet; null where nobody asks. */
  untoldIds: number[] | null
}

type ChoiceOptions = {
  choice: number
  reader: AnswerReader
  counts: ChoiceCounts
  /** How an answer that called is said to have ended. */
  calledReason: FinishReason
  onToken(): void
}

/** Tokens in, pieces out. A stop text, or the last call that is wanted, ends the engine's work as well. */
export async function* readChoice(
  events: AsyncIterable<EngineEvent>,
  { choice, reader, counts, calledReason, onToken }: ChoiceOptions,
): AsyncGenerator<NumberedEvent, void> {
  const finish = (reason: 'stop' | 'length'): NumberedEvent => [
    choice,
    { type: 'finish', reason: reason === 'stop' && reader.calls > 0 ? calledReason : reason },
  ]
  for await (const event of events) {
    if (event.type === 'end') {
      const { reason, promptTokens, cachedTokens, completionTokens } = event
      Object.assign(counts, { promptTokens, cachedTokens, completionTokens })
      const { pieces, stopped } = reader.flush()
      for (const piece of pieces) yield [choice, piece]
      yield finish(stopped ? 'stop' : reason)
      return
    }
    counts.completionTokens += 1
    if (event.id !== null) counts.untoldIds?.push(event.id)
    onToken()
    const { pieces, stopped } = reader.push(event)
    if (pieces.some(({ type }) => type === 'reasoning')) counts.reasoningTokens += 1
    for (const piece of pieces) yield [choice, piece]
    if (stopped) {
      yield finish('stop')
      return
    }
  }
  throw new Error('the engine ended its answer without an end event')
}
