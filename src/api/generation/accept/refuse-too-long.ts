import { ApiError } from '../../../base/api-error.ts'
import type { ServedModel } from '../../../engine/contract.ts'
import type { Prompt, RequestFields } from '../request/generation-request.ts'

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
  // Here messages may be left out, or raw prompts are counted one by one.
  if (contextTokens === null || parsesAnswers || prompt.type !== 'chat' || prompt.keptFromStart !== null) return
  if (promptBytes / maxTokenBytes + toolStrings * fewestTokensPerString < contextTokens) return
  const promptTokens = `more than ${contextTokens}`
  throw ApiError.of('context_length_exceeded', { contextTokens, promptTokens }, { param: fields.prompt })
}
