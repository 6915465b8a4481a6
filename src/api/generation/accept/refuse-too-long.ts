import { ApiError } from '../../../base/api-error.ts'
import type { ServedModel } from '../../../engine/contract.ts'
import { countWords } from '../../../engine/count-words.ts'
import type { Calling } from '../request/calling.ts'
import type { Prompt, RawPrompt, RequestFields } from '../request/generation-request.ts'

/** No vocabulary in use has longer tokens; the longest are runs of spaces. */
export const maxTokenBytes = 128
/** A token never spans two strings of a schema. Templates may omit some of the strings. */
export const fewestTokensPerString = 1 / 2

/** What is known of a request's prompt before it is rendered. */
type PromptLength = {
  prompt: Prompt
  promptBytes: number
  toolStrings: number
  fields: RequestFields
}

/**
 * Refuses a prompt that cannot fit the context, however its texts are rendered: rendering tens of thousands of properties or
 * megabytes of text takes seconds. An upstream decides for itself.
 */
export const refuseTooLong = (
  { prompt, promptBytes, toolStrings, fields }: PromptLength,
  { contextTokens, parsesAnswers }: Pick<ServedModel, 'contextTokens' | 'parsesAnswers'>,
): void => {
  if (contextTokens === null || parsesAnswers || mayBeCut(prompt)) return
  const isTooLong =
    prompt.type === 'chat'
      ? promptBytes / maxTokenBytes + toolStrings * fewestTokensPerString >= contextTokens
      : prompt.prompts.some((raw) => leastTokens(raw) >= contextTokens)
  if (isTooLong) throw tooLong(contextTokens, fields)
}

/** Its oldest messages may be left out, or the beginning of its texts. */
const mayBeCut = (prompt: Prompt): boolean =>
  prompt.type === 'chat' ? prompt.keptFromStart !== null : (prompt.maxTokens ?? null) !== null

/** A character has at least one byte. Ids are counted without any work. */
const leastTokens = (raw: RawPrompt): number => (typeof raw === 'string' ? raw.length / maxTokenBytes : 0)

type Texts = { prompt: Prompt; calling: Pick<Calling, 'shown'> | null; fields: RequestFields }
export type WordLimit = { contextTokens: number; words: number }

/**
 * The same by the words that the model is certain to be shown: prose has thirty times as many tokens as its length alone tells.
 * Counting stops at the limit, so it takes no longer than what fits.
 */
export const refuseTooManyWords = (
  { prompt, calling, fields }: Texts,
  { contextTokens, words: max }: WordLimit,
): void => {
  if (prompt.type !== 'chat' || mayBeCut(prompt)) return
  // With variables of its own a template may leave out more.
  if (Object.keys(prompt.templateVariables).length > 0) return
  let words = 0
  for (const text of shownTexts(prompt, calling)) {
    words += countWords(text, max - words)
    if (words >= max) throw tooLong(contextTokens, fields)
  }
}

/** Templates may leave out earlier answers, and later instructions. */
function* shownTexts({ messages }: Prompt & { type: 'chat' }, calling: Texts['calling']): Generator<string, void> {
  for (const { description } of calling?.shown ?? []) if (description !== null) yield description
  for (const [index, { role, content }] of messages.entries())
    if (role === 'user' || (role === 'system' && index === 0)) yield content
}

const tooLong = (contextTokens: number, fields: RequestFields): ApiError =>
  ApiError.of(
    'context_length_exceeded',
    { contextTokens, promptTokens: `more than ${contextTokens}` },
    { param: fields.prompt },
  )
