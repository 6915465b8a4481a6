import { questionText as plainText, type Question, readQuestion as readPlain } from '../upstreams/question.ts'

/**
 * What the upstream does the first time it is asked a question. It answers it in full the second time, so that a gateway that
 * asks again can help its client.
 */
export const faults = ['none', 'cut', 'end', 'error', 'garbage', 'status', 'busy', 'hang', 'stall'] as const
export type Fault = (typeof faults)[number]

/** The fault is part of the name, so that it reaches the upstream through any gateway. */
export type ScriptedQuestion = Question & { fault: Fault }

export const questionText = (question: ScriptedQuestion): string => plainText(question)

export const questionId = (fault: Fault, number: number): string => `${fault}-${number}`

export const readQuestion = (text: string): ScriptedQuestion => {
  const question = readPlain(text)
  const fault = faults.find((name) => question.id.startsWith(`${name}-`)) ?? 'none'
  return { ...question, fault }
}

const words = ['time', 'year', 'people', 'way', 'day', 'man', 'thing', 'woman', 'life', 'child', 'world', 'school']
const characters = ['日', '月', '火', '水', '木', '金', '土', '山', '川', '田', '人', '口']

/**
 * The tokens of an answer, which differ between questions. Gateways that estimate the length of a text that no upstream has
 * counted come to about as many tokens for such a mixture of words and characters, so that an estimate is not taken for a loss.
 */
export const answerTokens = ({ id, words: count }: Pick<Question, 'id' | 'words'>): string[] => {
  const start = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  return Array.from({ length: count }, (_, index) => {
    const place = start + index * 5 + Math.floor(index / 12)
    const token = (index % 2 === 0 ? words : characters)[place % 12] ?? ''
    return index % 6 === 5 ? `${token} ` : token
  })
}

/** How many tokens of the answer a text consists of; null if it is not the beginning of the answer. */
export const countTokens = (question: Pick<Question, 'id' | 'words'>, text: string): number | null => {
  let [rest, count] = [text, 0]
  for (const token of answerTokens(question)) {
    if (rest === '') break
    if (!rest.startsWith(token)) return null
    rest = rest.slice(token.length)
    count += 1
  }
  return rest === '' ? count : null
}
