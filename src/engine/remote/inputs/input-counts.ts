import type { Log } from '../../../base/log.ts'
import { createTokenEstimate } from '../estimate-prompt.ts'
import type { TokenCounter } from '../tokenizer/token-counters.ts'
import type { InputQuestion } from './input-questions.ts'

type CountingOptions = {
  question: Pick<InputQuestion, 'maxTokens' | 'texts' | 'idTokens'>
  /** Null if only the upstream knows. */
  contextTokens: number | null
  /** Null if the tokenizer of the model is not known. */
  counter: TokenCounter | null
  ownerId: string
  log: Log
}

type InputCount = { tokens: number; isEstimated: boolean }

/** The tokens of inputs: as the upstream reports them if that is possible, otherwise as counted or estimated here. */
export interface InputCounts {
  /** The most that there can be. */
  readonly maxTokens: number
  /** `claimed`: what the upstream says; null if it says nothing. */
  count(claimed: number | null): Promise<InputCount>
}

export const createInputCounts = ({ question, contextTokens, counter, ownerId, log }: CountingOptions): InputCounts => {
  const { texts, idTokens } = question
  // Longer inputs than the context are refused.
  const context = contextTokens ?? Number.POSITIVE_INFINITY
  const maxTokens = question.maxTokens.reduce((sum, tokens) => sum + Math.min(tokens, context), 0)
  const counted = async (): Promise<number | null> => {
    if (counter === null) return null
    const single = texts.filter(({ times }) => times === 1).map(({ text }) => text)
    let sum = await counter.texts(single, ownerId)
    for (const { text, times } of texts) {
      if (times === 1 || sum === null) continue
      const tokens = await counter.texts([text], ownerId)
      sum = tokens === null ? null : sum + tokens * times
    }
    return sum
  }
  return {
    maxTokens,
    async count(claimed) {
      if (claimed !== null && claimed <= maxTokens) return { tokens: claimed, isEstimated: false }
      if (claimed !== null) log.warn('upstream_count_not_believed', { what: 'prompt_tokens', claimed, max: maxTokens })
      const known = await counted()
      const tokens = idTokens + (known ?? estimate(texts))
      return { tokens: Math.min(Math.max(1, tokens), maxTokens), isEstimated: known === null }
    },
  }
}

/** Low, because the tokens are billed. */
const estimate = (texts: InputQuestion['texts']): number => {
  let sum = 0
  for (const { text, times } of texts) {
    const one = createTokenEstimate()
    one.add(text)
    sum += one.tokens() * times
  }
  return sum
}
