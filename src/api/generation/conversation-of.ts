import type { Conversation, ServedModel } from '../../engine/contract.ts'
import type { ReceivedRequest } from '../chat-completions/request/read-request.ts'
import { answerOptionsOf } from './answer-options-of.ts'

/** All that an engine needs of a request for its prompt. */
export const conversationOf = (
  request: ReceivedRequest,
  organisationId: string,
  { parsesAnswers }: ServedModel,
): Conversation => {
  const { messages, rawPrompt, calling, templateVariables, opening, reasoningEffort } = request
  const common = { messages, tools: calling?.shown ?? [], opening, cacheScope: organisationId }
  if (rawPrompt !== undefined) return { ...common, rawPrompt, templateVariables: {} }
  if (parsesAnswers) return { ...common, templateVariables, answer: answerOptionsOf(request) }
  return {
    ...common,
    templateVariables: {
      ...(typeof reasoningEffort === 'string' ? { reasoning_effort: reasoningEffort } : {}),
      ...(reasoningEffort === 'none' ? { enable_thinking: false } : {}),
      ...templateVariables,
    },
  }
}
