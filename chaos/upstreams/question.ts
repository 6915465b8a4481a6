/** What a client asks for. The answer follows from it, so that every process knows what must arrive. */
export type Question = { id: string; words: number; paceMs: number }

/** With words that are as long as tokens, so that an estimate from the length of a text is never above their number. */
export const questionText = ({ id, words, paceMs }: Question): string =>
  `Say ${id} in ${words} words, ${paceMs} ms each.`

export const readQuestion = (text: string): Question => {
  const [, id, words, paceMs] = /^Say (\S+) in (\d+) words, (\d+) ms each\.$/.exec(text) ?? []
  if (id === undefined) throw new Error('this is no question')
  return { id, words: Number(words), paceMs: Number(paceMs) }
}

/** Words differ between questions, so that parts of two answers never fit together. */
export const answerText = ({ id, words }: Question): string => {
  const letter = String.fromCharCode(97 + (Number(id.replace(/\D/g, '')) % 26))
  return Array.from({ length: words }, (_, index) => `${letter}${(index + 1).toString(36)} `).join('')
}

export const wordsOf = (text: string): string[] => text.split(/(?<= )/).filter((word) => word !== '')

/** How the upstreams count prompts. */
export const promptTokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + wordsOf(text).length, 0)
