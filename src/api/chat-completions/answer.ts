import type { EngineEvent } from '../../engine/contract.ts'
import { createAnswerText } from './answer-text.ts'
import type { Finish, Usage } from './shapes.ts'

/** What an answer is made of, once tokens have become text. */
export type AnswerEvent = { type: 'text'; text: string } | ({ type: 'finish' } & Finish)

type AnswerOptions = {
  stops: readonly string[]
  /** What the engine counted before it started; its own last word wins. */
  promptTokens: number | null
  onFirstToken(): void
}

/** Tokens in, pieces of text out, ended by exactly one `finish`. A stop text ends the engine's work as well. */
export async function* readAnswer(
  events: AsyncIterable<EngineEvent>,
  options: AnswerOptions,
): AsyncGenerator<AnswerEvent> {
  const answer = createAnswerText(options.stops)
  const usage: Usage = { promptTokens: options.promptTokens ?? 0, cachedTokens: 0, completionTokens: 0 }
  for await (const event of events) {
    if (event.type === 'end') {
      const rest = answer.flush()
      if (rest !== '') yield { type: 'text', text: rest }
      const { promptTokens, cachedTokens, completionTokens } = event
      yield { type: 'finish', reason: event.reason, usage: { promptTokens, cachedTokens, completionTokens } }
      return
    }
    if (usage.completionTokens === 0) options.onFirstToken()
    usage.completionTokens += 1
    const { text, stopped } = answer.push(event.bytes)
    if (text !== '') yield { type: 'text', text }
    if (stopped) {
      yield { type: 'finish', reason: 'stop', usage }
      return
    }
  }
  throw new Error('the engine ended its answer without an end event')
}
