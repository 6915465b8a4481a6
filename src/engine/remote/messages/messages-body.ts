/** A request in the form of Anthropic's Messages API. */
import { withMember } from '../../../base/with-member.ts'
import type {
  AnswerOptions,
  Conversation,
  FunctionTool,
  NativeMessages,
  ResponseFormat,
  Sampling,
} from '../../contract.ts'
import { messageTurns } from './message-turns.ts'

type BodyOptions = { model: string; fields: ReadonlySet<string>; stream: boolean }

/** The API requires a limit. Requests without one have that of their reservation, except for canaries and tests. */
const defaultMaxTokens = 4096
/** The API constrains answers to schemas only. */
const objectInstruction = 'Answer with one JSON object, and with nothing before or after it.'
/** Other APIs accept up to 2. */
const maxTemperature = 1

export const messagesBody = (conversation: Conversation, sampling: Sampling, options: BodyOptions): string =>
  conversation.native?.api === 'messages'
    ? nativeBody(conversation, conversation.native, sampling, options)
    : translatedBody(conversation, sampling, options)

/** What was sent in the form of this API stays as it was, except for the name of the model, limits and choices that were decided here. */
const nativeBody = (
  conversation: Conversation,
  { members, thinking, thinkingBudget, effort }: NativeMessages,
  sampling: Sampling,
  options: BodyOptions,
): string => {
  const { fields } = options
  const choice = members.tools === undefined ? undefined : toolChoice(conversation)
  const asked = { ...samplingJson(sampling, options), tool_choice: choice }
  const mayThink = fields.has('reasoning_effort') && thinkingBudget < (sampling.maxTokens ?? defaultMaxTokens)
  const all: [string, string | undefined][] = [
    ...Object.entries(members),
    ['thinking', mayThink ? (thinking ?? undefined) : undefined],
    ['output_config', outputConfig(effort, conversation.answer?.format, fields)],
  ]
  return all.reduce((body, [name, value]) => withMember(body, name, value), JSON.stringify(asked))
}

const samplingJson = (sampling: Sampling, { model, fields, stream }: BodyOptions) => {
  const { temperature, topP, topK, stops } = sampling
  return {
    model,
    max_tokens: sampling.maxTokens ?? defaultMaxTokens,
    stream: stream || undefined,
    temperature: temperature === null ? undefined : Math.min(temperature, maxTemperature),
    // Newer models refuse both together.
    top_p: temperature === null ? (topP ?? undefined) : undefined,
    // 0 means no limit elsewhere.
    top_k: topK || undefined,
    stop_sequences: stops.length === 0 || !fields.has('stop') ? undefined : stops,
  }
}

const translatedBody = (conversation: Conversation, sampling: Sampling, options: BodyOptions): string => {
  const { fields } = options
  const { messages, answer } = conversation
  const { system: instructions, turns } = messageTurns(messages)
  const system = [...instructions, ...(answer?.format?.type === 'object' ? [objectInstruction] : [])].join('\n\n')
  const body = JSON.stringify({
    ...samplingJson(sampling, options),
    system: system === '' ? undefined : system,
    messages: turns,
    tool_choice: toolChoice(conversation),
    ...thinkingJson(answer, fields, turns),
  })
  return withMember(
    withMember(body, 'tools', toolsJson(conversation)),
    'output_config',
    outputConfig(answer?.reasoningEffort, answer?.format, fields),
  )
}

/** Calls in earlier messages need the definitions of their functions, even if none may be called now. */
const toolsJson = ({ tools, messages, answer }: Conversation): string | undefined => {
  const callable = answer?.calling?.callable
  const mode = answer?.calling?.mode
  const shown = callable === undefined || mode === 'named' ? tools : tools.filter(({ name }) => callable.includes(name))
  const known = new Set(shown.map(({ name }) => name))
  const called = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))
  const missing = [...new Set(called)].filter((name) => !known.has(name))
  const defined = [...shown, ...missing.map((name) => tools.find((tool) => tool.name === name) ?? undefinedTool(name))]
  return defined.length === 0 ? undefined : `[${defined.map(toolJson).join(',')}]`
}

const undefinedTool = (name: string): FunctionTool => ({ name, description: null, parameters: null })

const anyObject = '{"type":"object"}'

const toolJson = ({ name, description, parameters, strict }: FunctionTool): string =>
  withMember(
    JSON.stringify({ name, description: description ?? undefined, strict: strict || undefined }),
    'input_schema',
    parameters ?? anyObject,
  )

const toolChoice = (conversation: Conversation) => {
  if (toolsJson(conversation) === undefined) return undefined
  const calling = conversation.answer?.calling ?? null
  if (calling === null) return { type: 'none' }
  const { mode, callable, parallel } = calling
  const single = parallel ? {} : { disable_parallel_tool_use: true }
  if (mode === 'named') return { type: 'tool', name: callable[0], ...single }
  return { type: mode === 'required' ? 'any' : 'auto', ...single }
}

const isEffort = (effort: string | null | undefined): effort is string => effort !== null && effort !== undefined

/** The effort, and the schema of the answer. */
const outputConfig = (
  effort: string | null | undefined,
  wanted: ResponseFormat | null | undefined,
  fields: ReadonlySet<string>,
): string | undefined => {
  const own = JSON.stringify({
    effort: fields.has('reasoning_effort') && isEffort(effort) ? (efforts.get(effort) ?? effort) : undefined,
  })
  const format = wanted?.type === 'schema' ? `{"type":"json_schema","schema":${wanted.schema}}` : undefined
  const config = withMember(own, 'format', format)
  return config === '{}' ? undefined : config
}

/** Levels of other APIs that it does not have. */
const efforts = new Map([
  ['none', 'low'],
  ['minimal', 'low'],
])

/**
 * Reasoning has to be sent back with its signature in the middle of calls, and that is not kept here: a request that ends with the
 * results of calls is answered without. A call that is forced is written without, too: the API refuses both together.
 */
const thinkingJson = (
  answer: AnswerOptions | undefined,
  fields: ReadonlySet<string>,
  turns: ReturnType<typeof messageTurns>['turns'],
) => {
  const effort = answer?.reasoningEffort
  if (!fields.has('reasoning_effort') || !isEffort(effort) || effort === 'none') return {}
  const isResult = turns.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false
  const isForced = answer?.calling?.mode === 'named' || answer?.calling?.mode === 'required'
  // Newer models show none of it by default.
  return isResult || isForced ? {} : { thinking: { type: 'adaptive', display: 'summarized' } }
}
