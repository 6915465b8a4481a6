import type { Conversation, ServedModel } from '../../engine/contract.ts'
import type { ReceivedRequest } from '../chat-completions/request/read-request.ts'
import { answerOptionsOf } from './answer-options-of.ts'

/** All that an engine needs of a request for its prompt. */
export const conversationOf = (
  request: ReceivedRequest,
  organisationId: string,
  { parsesAnswers }: ServedModel,
): Conversation => {
  const { messages, calling, templateVariables, opening, reasoningEffort } = request
  const common = { messages, tools: calling?.shown ?? [], opening, cacheScope: organisationId }
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

/** The same for one of its raw prompts. */
export const rawConversationOf = (
  request: ReceivedRequest,
  index: number,
  organisationId: string,
  { parsesAnswers }: ServedModel,
): Conversation => ({
  messages: request.messages.slice(index, index + 1),
  tools: [],
  rawPrompt: request.rawPrompts?.[index] ?? '',
  templateVariables: {},
  opening: 'answer',
  cacheScope: organisationId,
  ...(parsesAnswers ? { answer: answerOptionsOf(request) } : {}),
})
