import { type Prompts, sumPromptTokens } from '../prompt/prompts.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { logprobsBytes } from './choice-collector.ts'

type Asked = Pick<GenerationRequest, 'prompt' | 'n' | 'sampling' | 'returnTokenIds' | 'repeatsPrompts'>

const idBytes = 8
const characterBytes = 2

/** In how many choices an answer says something about a prompt: a conversation's own is written once. */
export const promptCopies = ({ prompt, n }: Pick<Asked, 'prompt' | 'n'>, prompts: Prompts): number =>
  prompt.type === 'raw' ? n / prompts.length : 1

/** What an answer repeats of its request: the texts of raw prompts, and the ids of prompts. */
export const repeatedBytes = (request: Asked, prompts: Prompts): number => {
  const { prompt, returnTokenIds, repeatsPrompts } = request
  const ids = returnTokenIds ? idBytes * (sumPromptTokens(prompts) ?? 0) : 0
  const texts = repeatsPrompts && prompt.type === 'raw' ? characterBytes * characters(prompt.prompts) : 0
  return promptCopies(request, prompts) * (ids + texts)
}

/** What the log probabilities of the prompts take until the answer is written: once, however often it has them. */
export const scoredBytes = ({ sampling: { promptLogprobs } }: Asked, prompts: Prompts): number =>
  promptLogprobs === null ? 0 : logprobsBytes(sumPromptTokens(prompts) ?? 0, promptLogprobs)

/** What an answer takes at least, however little the model generates. It is known before anything is computed. */
export const leastAnswerBytes = (request: Asked, prompts: Prompts): number =>
  repeatedBytes(request, prompts) + promptCopies(request, prompts) * scoredBytes(request, prompts)

/** A list has the ids of tokens, whose text comes with their log probabilities. */
const characters = (prompts: readonly (string | readonly number[])[]): number =>
  prompts.reduce((sum, prompt) => sum + (typeof prompt === 'string' ? prompt.length : 0), 0)
