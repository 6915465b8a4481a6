import type { EngineEvent } from '../contract.ts'
import { eventText } from './event-text.ts'

/** Collects the texts of an answer, to be counted: reasoning, text, and each call with its arguments. */
export interface AnswerTexts {
  add(event: EngineEvent): void
  /** Null if there is more than is kept. */
  texts(): readonly string[] | null
  copy(): AnswerTexts
}

const maxCharacters = 400_000
/** The characters of a token's text stand for bytes, see `eventText`. */
const tokens = 'token'

export const createAnswerTexts = (): AnswerTexts => collect(new Map(), 0)

const collect = (texts: Map<string, string>, startCharacters: number): AnswerTexts => {
  let characters = startCharacters
  return {
    add(event) {
      if (event.type === 'accepted' || event.type === 'end') return
      const text = eventText(event)
      const key = 'index' in event ? `call ${event.index}` : event.type
      characters += text.length
      if (characters > maxCharacters) texts.clear()
      else texts.set(key, (texts.get(key) ?? '') + text)
    },
    texts() {
      if (characters > maxCharacters) return null
      return [...texts].map(([key, text]) => (key === tokens ? Buffer.from(text, 'latin1').toString() : text))
    },
    copy: () => collect(new Map(texts), characters),
  }
}
