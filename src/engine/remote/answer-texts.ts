import type { EngineEvent } from '../contract.ts'

/** Collects the texts of an answer, to be counted: reasoning, text, and each call with its arguments. */
export interface AnswerTexts {
  add(event: EngineEvent): void
  /** Null if there is more than is kept. */
  texts(): readonly string[] | null
}

const mostCharacters = 400_000

export const createAnswerTexts = (): AnswerTexts => {
  const texts = new Map<string, string>()
  let characters = 0
  const append = (key: string, text: string): void => {
    characters += text.length
    if (characters > mostCharacters) texts.clear()
    else texts.set(key, (texts.get(key) ?? '') + text)
  }
  return {
    add(event) {
      if (event.type === 'text' || event.type === 'reasoning' || event.type === 'refusal')
        append(event.type, event.text)
      else if (event.type === 'call') append(`call ${event.index}`, event.name)
      else if (event.type === 'arguments') append(`call ${event.index}`, event.text)
    },
    texts: () => (characters > mostCharacters ? null : [...texts.values()]),
  }
}
