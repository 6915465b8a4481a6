import { ApiError } from '../../../base/api-error.ts'
import type {
  AnswerOptions,
  Conversation,
  EngineCaller,
  ResponseFormat,
  ServedModel,
} from '../../../engine/contract.ts'
import { isSupported } from '../accept/refuse-unsupported.ts'
import type {
  ChatPrompt,
  GenerationRequest,
  RawPrompt,
  RequestCalling,
  RequestFormat,
} from '../request/generation-request.ts'

/** All that an engine needs of a request for its prompt. */
export const conversationOf = (
  request: GenerationRequest,
  { messages, templateVariables, opening }: ChatPrompt,
  caller: EngineCaller,
  model: ServedModel,
): Conversation => {
  const { calling, reasoningEffort, written } = request
  const common = { messages, tools: calling?.shown ?? [], opening, ...caller }
  if (model.parsesAnswers)
    return { ...common, templateVariables, ...parsedBy(request, model), ...(written === null ? {} : { written }) }
  return {
    ...common,
    templateVariables: {
      ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
      ...(reasoningEffort === 'none' ? { enable_thinking: false } : {}),
      ...templateVariables,
    },
  }
}

/** The same for one of its raw prompts. */
export const rawConversationOf = (
  request: GenerationRequest,
  rawPrompt: RawPrompt,
  caller: EngineCaller,
  model: ServedModel,
): Conversation => ({
  messages: [],
  tools: [],
  rawPrompt,
  templateVariables: {},
  opening: 'answer',
  ...caller,
  ...(model.parsesAnswers ? parsedBy(request, model) : {}),
})

/** Options for engines that parse their answers themselves. */
const parsedBy = (
  request: GenerationRequest,
  { alternatives }: ServedModel,
): Pick<Conversation, 'answer' | 'isAcceptedBy'> => ({
  answer: answerOptionsOf(request),
  ...(alternatives === undefined ? {} : { isAcceptedBy: (model) => isSupported(request, model) }),
})

type Asked = Pick<GenerationRequest, 'stream' | 'calling' | 'format' | 'reasoningEffort'>

export const answerOptionsOf = ({ stream, calling, format, reasoningEffort }: Asked): AnswerOptions => ({
  stream,
  calling: calling === null ? null : callingOf(calling),
  format: format === null ? null : formatOf(format),
  reasoningEffort,
})

const callingOf = ({ callable, named, required, parallel }: RequestCalling): AnswerOptions['calling'] => ({
  callable,
  mode: named ? 'named' : required ? 'required' : 'auto',
  parallel,
})

/** Only chat completions and responses give a schema a name. */
const defaultName = 'answer'

const formatOf = ({ source, name = defaultName, description }: RequestFormat): ResponseFormat => {
  if (source.type !== 'schema') return source
  const { text, strict, place, param } = source
  if (text === null) throw ApiError.of('invalid_schema', { place, reason: 'it is not JSON' }, { param })
  return { type: 'schema', name, ...(description === undefined ? {} : { description }), schema: text, strict }
}
