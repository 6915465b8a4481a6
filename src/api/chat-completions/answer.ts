import type { EngineEvent } from '../../engine/contract.ts'
import { createAnswerText } from './answer-text.ts'
import type { Finish, Usage } from './shapes.ts'

/** What an answer is made of, once tokens have become text. */
export type AnswerEvent = { type: 'text'; text: string } | ({ type: 'finish' } & Finish)

type AnswerOptions = {
  stops: readonly string[]
  /** Kept up to date with every token, so that it is right whenever the answer breaks off. */
  usage: Usage
  onFirstToken(): void
}

/** Tokens in, pieces of text out, ended by exactly one `finish`. A stop text ends the engine's work as well. */
export async function* readAnswer(
  events: AsyncIterable<EngineEvent>,
  { stops, usage, onFirstToken }: AnswerOptions,
): AsyncGenerator<AnswerEvent> {
  const answer = createAnswerText(stops)
  for await (const event of events) {
    if (event.type === 'end') {
      const { reason, promptTokens, cachedTokens, completionTokens } = event
      Object.assign(usage, { promptTokens, cachedTokens, completionTokens })
      const rest = answer.flush()
      if (rest !== '') yield { type: 'text', text: rest }
      yield { type: 'finish', reason, usage }
      return
    }
    if (usage.completionTokens === 0) onFirstToken()
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
