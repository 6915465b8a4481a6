import { withMember } from '../../../base/with-member.ts'
import type {
  AnswerOptions,
  Conversation,
  FunctionTool,
  NativeResponses,
  ResponseFormat,
  Sampling,
} from '../../contract.ts'
import { chatItems } from './chat-items.ts'

/** What an upstream's Responses API is sent. */
export type SentResponses = NativeResponses & {
  /** It was written from a chat: the answer becomes that of a chat completion, without items. */
  isTranslated?: true
}

/** A chat as the Responses API is sent it. What it has no field for was refused before, or the chat goes elsewhere. */
export const nativeFromChat = (
  { messages, tools, answer }: Conversation,
  { topLogprobs }: Pick<Sampling, 'topLogprobs'>,
): SentResponses => {
  const effort = answer?.reasoningEffort ?? null
  const members: Record<string, string | undefined> = {
    ...callingMembers(tools, answer?.calling ?? null),
    text: formatJson(answer?.format ?? null),
    reasoning: effort === null ? undefined : JSON.stringify({ effort }),
    include: topLogprobs === null ? undefined : '["message.output_text.logprobs"]',
  }
  return {
    api: 'responses',
    input: chatItems(messages),
    members: present(members),
    builtInTools: [],
    isTranslated: true,
  }
}

const present = (members: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, json]) => (json === undefined ? [] : [[name, json]])))

const callingMembers = (
  tools: readonly FunctionTool[],
  calling: AnswerOptions['calling'],
): Record<string, string | undefined> => {
  if (calling === null) return {}
  const { callable, mode, parallel } = calling
  // Those that may not be called are not shown, as in chat completions.
  const shown = mode === 'named' ? tools : tools.filter(({ name }) => callable.includes(name))
  return {
    tools: `[${shown.map(toolJson).join(',')}]`,
    tool_choice: JSON.stringify(mode === 'named' ? { type: 'function', name: callable[0] } : mode),
    parallel_tool_calls: parallel || mode === 'named' ? undefined : 'false',
  }
}

const noParameters = '{"type":"object","properties":{}}'

/** Without `strict: false`, this API takes every schema for a strict one, and chat completions none. */
const toolJson = ({ name, description, parameters, strict = false }: FunctionTool): string =>
  withMember(
    JSON.stringify({ type: 'function', name, description: description ?? undefined, strict }),
    'parameters',
    parameters ?? noParameters,
  )

const formatJson = (format: ResponseFormat | null): string | undefined => {
  if (format?.type === 'object') return '{"format":{"type":"json_object"}}'
  if (format?.type !== 'schema') return undefined
  const { name, description, schema, strict } = format
  return `{"format":${withMember(JSON.stringify({ type: 'json_schema', name, description, strict }), 'schema', schema)}}`
}
