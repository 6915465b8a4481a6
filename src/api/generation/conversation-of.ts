import type { Conversation, EngineCaller, ServedModel } from '../../engine/contract.ts'
import { answerOptionsOf } from './answer-options-of.ts'
import type { ReceivedRequest } from './received-of.ts'
import { isSupported } from './refuse-unsupported.ts'

/** All that an engine needs of a request for its prompt. */
export const conversationOf = (request: ReceivedRequest, caller: EngineCaller, model: ServedModel): Conversation => {
  const { messages, calling, templateVariables, opening, reasoningEffort } = request
  const common = { messages, tools: calling?.shown ?? [], opening, ...caller }
  if (model.parsesAnswers) return { ...common, templateVariables, ...parsedBy(request, model) }
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
  caller: EngineCaller,
  model: ServedModel,
): Conversation => ({
  messages: request.messages.slice(index, index + 1),
  tools: [],
  rawPrompt: request.rawPrompts?.[index] ?? '',
  templateVariables: {},
  opening: 'answer',
  ...caller,
  ...(model.parsesAnswers ? parsedBy(request, model) : {}),
})

/** What engines need that parse their answers themselves. */
const parsedBy = (
  request: ReceivedRequest,
  { alternatives }: ServedModel,
): Pick<Conversation, 'answer' | 'isAcceptedBy'> => ({
  answer: answerOptionsOf(request),
  ...(alternatives === undefined ? {} : { isAcceptedBy: (model) => isSupported(request, model) }),
})
