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
export const buildConversation = (
  request: GenerationRequest,
  prompt: ChatPrompt,
  caller: EngineCaller,
  model: ServedModel,
): Conversation => {
  const { calling, reasoningEffort } = request
  const { written, native, templateVariables, opening } = prompt
  const asSent = native === undefined ? {} : { native }
  if (model.parsesAnswers && written !== undefined)
    return {
      ...{ written, templateVariables, opening, ...asSent },
      ...caller,
      ...parsedBy(request, model),
      // Read only if they have to be, which for megabytes takes long.
      get messages() {
        return prompt.messages
      },
      get tools() {
        return calling?.shown ?? []
      },
    }
  const common = { messages: prompt.messages, tools: calling?.shown ?? [], opening, ...caller }
  if (model.parsesAnswers) return { ...common, ...asSent, templateVariables, ...parsedBy(request, model) }
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
export const buildRawConversation = (
  request: GenerationRequest,
  rawPrompt: RawPrompt,
  caller: EngineCaller,
  model: ServedModel,
): Conversation => {
  const maxTokens = request.prompt.type === 'raw' ? (request.prompt.maxTokens ?? null) : null
  return {
    messages: [],
    tools: [],
    rawPrompt,
    templateVariables: {},
    opening: 'answer',
    ...caller,
    ...(maxTokens === null ? {} : { maxPromptTokens: maxTokens }),
    ...(model.parsesAnswers ? parsedBy(request, model) : {}),
  }
}

/** Options for engines that parse their answers themselves. */
const parsedBy = (
  request: GenerationRequest,
  { alternatives }: ServedModel,
): Pick<Conversation, 'answer' | 'isAcceptedBy'> => ({
  answer: toAnswerOptions(request),
  ...(alternatives === undefined ? {} : { isAcceptedBy: (model) => isSupported(request, model) }),
})

type Asked = Pick<GenerationRequest, 'prompt' | 'stream' | 'calling' | 'format' | 'reasoningEffort'>

export const toAnswerOptions = ({ prompt, stream, calling, format, reasoningEffort }: Asked): AnswerOptions => ({
  stream,
  calling: calling === null ? null : toCalling(calling),
  format: format === null ? null : toResponseFormat(format, prompt.type === 'chat' && prompt.written !== undefined),
  reasoningEffort,
})

const toCalling = ({ callable, named, required, parallel }: RequestCalling): AnswerOptions['calling'] => ({
  callable,
  mode: named ? 'named' : required ? 'required' : 'auto',
  parallel,
})

/** Only chat completions and responses give a schema a name. */
const defaultName = 'answer'

/** `isWritten`: the schema was written for upstreams, and is read only if it has to be written again. */
const toResponseFormat = (
  { source, name = defaultName, description }: RequestFormat,
  isWritten: boolean,
): ResponseFormat => {
  if (source.type !== 'schema') return source
  const { strict, place, param } = source
  const read = (): string => {
    if (source.text === null) throw ApiError.of('invalid_schema', { place, reason: 'it is not JSON' }, { param })
    return source.text
  }
  const named = { type: 'schema', name, ...(description === undefined ? {} : { description }), strict } as const
  if (!isWritten) return { ...named, schema: read() }
  return {
    ...named,
    get schema() {
      return read()
    },
  }
}
