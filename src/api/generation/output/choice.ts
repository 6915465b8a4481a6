import { asBatched, type Batched, toBatches } from '../../../base/batches.ts'
import type { EngineEnd, EngineEvent, PromptToken } from '../../../engine/contract.ts'
import { countPieces, splitPieces } from '../../../engine/split-pieces.ts'
import type { Finish, FinishReason } from '../answer/answer-part.ts'
import type { EmittedCounts } from './emitted-token-counter.ts'
import type { OutputParser, OutputPiece } from './output-parser.ts'

/** What the engine says about its end. */
type FinishDetails = { endToken?: PromptToken | undefined; stopText?: string | null | undefined }

type FinishEvent = Finish & { type: 'finish'; emitted: EmittedCounts }

/** What happens in one choice, in order. Exactly one `finish` ends it; with that all its tokens are emitted. */
export type ChoiceEvent = OutputPiece | FinishEvent
/** With the index of its choice and, if requested, the ids of its tokens. */
export type NumberedEvent = readonly [choice: number, event: ChoiceEvent, tokenIds?: readonly number[]]
export type NumberedFinish = readonly [choice: number, event: FinishEvent, tokenIds?: readonly number[]]

export const isFinish = (numbered: NumberedEvent): numbered is NumberedFinish => numbered[1].type === 'finish'

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
  /** Uses so many of them if at least `spare` others are left; otherwise none. */
  takeTokens(tokens: number, spare: number): boolean
  /** Events contain the ids of their tokens. */
  returnTokenIds: boolean
  /** Called for all parts that arrived together, and for every other event, once it is counted and before it is passed on. */
  onEngineEvent(type: 'accepted' | 'part' | 'end'): void
}

/** Turns engine events into those of a choice. A stop sequence, or the last call that is allowed, ends the engine's work. */
export const readChoice = (events: AsyncIterable<EngineEvent>, options: ChoiceOptions): Batched<NumberedEvent> =>
  asBatched(readBatches(events, options))

async function* readBatches(
  events: AsyncIterable<EngineEvent>,
  { choice, parser, counts, calledReason, takeToken, takeTokens, returnTokenIds, onEngineEvent }: ChoiceOptions,
): AsyncGenerator<readonly NumberedEvent[], void> {
  let ids: number[] = []
  let read: NumberedEvent[] = []
  const add = (event: ChoiceEvent): void => {
    if (!returnTokenIds) return void read.push([choice, event])
    read.push([choice, event, ids])
    ids = []
  }
  const finish = (reason: EngineEnd['reason'], { endToken, stopText: reported = null }: FinishDetails = {}): void => {
    const emitted = { tokens: counts.completionTokens, reasoning: counts.reasoningTokens }
    const { calls } = parser
    const stopText = parser.stopText ?? reported
    add({
      type: 'finish',
      reason: reason === 'stop' && calls > 0 ? calledReason : reason,
      ...(stopText === null ? {} : { stopText }),
      ...(endToken === undefined ? {} : { endToken }),
      emitted,
    })
  }
  const end = (reason: EngineEnd['reason'], ended: Partial<EngineEnd> = {}): void => {
    const { pieces, stopped } = parser.flush()
    counts.reasoningTokens = ended.reasoningTokens ?? Math.min(parser.reasoningTokens, counts.completionTokens)
    for (const piece of pieces) add(piece)
    finish(stopped ? 'stop' : reason, ended)
  }
  for await (const batch of toBatches(events)) {
    read = []
    let hasParts = false
    let isEnded = false
    const pieces = countPieces(batch)
    // One by one where the reservation may end between them.
    const isWhole = pieces === 0 || takeTokens(pieces, batch.length)
    for (const event of isWhole ? batch : splitPieces(batch)) {
      if (event.type === 'accepted') {
        counts.promptTokens = event.promptTokens
        counts.isEstimated = true
        onEngineEvent(event.type)
        continue
      }
      if (event.type === 'prompt') {
        hasParts = true
        add({ type: 'content', text: '', tokens: [], prompt: [...event.tokens], emitted: { tokens: 0, reasoning: 0 } })
        continue
      }
      if (event.type === 'text' && event.pieces !== undefined) {
        hasParts = true
        counts.completionTokens += event.pieces.length
        for (const piece of parser.pushPieces(event.text, event.pieces).pieces) add(piece)
        counts.reasoningTokens = parser.reasoningTokens
        continue
      }
      isEnded = true
      if (event.type === 'end') {
        if (hasParts) onEngineEvent('part')
        hasParts = false
        counts.promptTokens = event.promptTokens
        counts.cachedTokens = event.cachedTokens
        counts.completionTokens = event.completionTokens
        counts.isEstimated = event.isEstimated ?? false
        onEngineEvent(event.type)
        end(event.reason, event)
        break
      }
      // A part need not correspond to a token of its own.
      const taken = event.type !== 'token' && event.tokens === 0 ? true : takeToken()
      // Awaiting nothing costs a turn of the event loop for each token.
      if (taken !== true && !(await taken)) {
        end('length')
        break
      }
      hasParts = true
      counts.completionTokens += event.type === 'token' ? 1 : (event.tokens ?? 1)
      if (returnTokenIds && event.type === 'token' && event.id !== null) ids.push(event.id)
      const { pieces, stopped } = event.type === 'token' ? parser.push(event) : parser.pushParsed(event)
      counts.reasoningTokens = parser.reasoningTokens
      for (const piece of pieces) add(piece)
      if (stopped) {
        finish('stop')
        break
      }
      isEnded = false
    }
    if (hasParts) onEngineEvent('part')
    if (read.length > 0) yield read
    if (isEnded) return
  }
  throw new Error('the engine ended without an end event')
}
