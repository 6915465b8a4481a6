import { ApiError } from '../../../base/api-error.ts'
import type { NativeResponses } from '../../../engine/contract.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { missing, Problem } from '../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { type Calling, createGrammarSource } from '../../generation/request/calling.ts'
import {
  defaultSampling,
  plainRequest,
  type RequestSampling,
  type TranslatedRequest,
} from '../../generation/request/generation-request.ts'
import type { InputItem } from '../items.ts'
import type { ResponseEchoes } from '../response-json.ts'
import { nativeMembers, readBuiltIns } from './native-options.ts'
import { type ResponsesBody, responsesBody } from './responses-body.ts'
import { formatField, type TextFormatJson, toAnswerFormat } from './text-format.ts'
import { applyToolChoice, type ToolChoiceJson } from './tool-choice.ts'
import { offeredTool, type RequestTool } from './tools.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What a request asks for beyond what generates its answer. */
export type ResponseOptions = {
  /** The items of this request alone, without the conversation that it continues. */
  input: InputItem[]
  instructions: string | null
  previousResponseId: string | null
  /** Null: not specified. The response is then stored if the key may do so. */
  store: boolean | null
  /** The oldest items are left out if the prompt does not fit the context. */
  truncates: boolean
  /** Reasoning is sent as a summary. */
  summarises: boolean
  customTools: string[]
  /** The types of tools that the model is not shown, each once. */
  ignoredTools: string[]
  /** The conversation has to mention JSON: an instruction is added if it does not. */
  wantsJsonWord: boolean
  /** Pads events, so that their lengths reveal nothing about the text. */
  obfuscate: boolean
  /** What the response repeats of its request. */
  echoes: ResponseEchoes
  /** For upstreams that have the Responses API themselves; null if the model has none. */
  native: Pick<NativeResponses, 'members' | 'builtInTools'> | null
}

/** The messages follow once the conversation that it continues is known. */
export type ResponsesRequest = { generation: TranslatedRequest; options: ResponseOptions }

/** The tools that an upstream of this model may run itself; null if none of them has the Responses API. */
export type AllowedTools = (model: string) => ReadonlySet<string> | null

/** `POST /v1/responses` without upstreams. */
export const responsesRequest: Schema<ResponsesRequest> = schema(responsesBody.json, (value) =>
  readResponses(value, () => null),
)

/** `POST /v1/responses`: validates unknown JSON into plain data, or names the path of what is wrong. */
export const readResponses = (value: unknown, allowedTools: AllowedTools): ResponsesRequest => {
  if (!isObject(value))
    throw new Problem(() => ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' }))
  if (value.model === undefined) throw missing().under('model')
  const body = responsesBody(value)
  if (!body.input && !body.previous_response_id) throw missing().under('input')
  if (body.stream_options && !body.stream)
    throw new Problem(() => ApiError.of('stream_options_without_stream', {}, { param: 'stream_options' }))
  const tools = body.tools ?? []
  const toolChoice = body.tool_choice ?? 'auto'
  const allowed = allowedTools(body.model)
  const builtIns = readBuiltIns({ tools, input: body.input ?? [] }, allowed)
  const parallel = body.parallel_tool_calls ?? true
  const calling = applyToolChoice({ tools, choice: toolChoice, parallel, isNative: allowed !== null })
  const textFormat = body.text?.format ?? { type: 'text' }
  return {
    generation: translateRequest(body, { tools, calling, textFormat }),
    options: {
      ...readOptions(body, { tools, toolChoice, textFormat, isNative: allowed !== null }),
      native: allowed === null ? null : { members: nativeMembers(body, tools), builtInTools: builtIns },
    },
  }
}

type Decided = { tools: RequestTool[]; calling: Calling | null; textFormat: TextFormatJson }

const prompt = {
  type: 'chat' as const,
  messages: [],
  templateVariables: {},
  opening: 'answer' as const,
  keptFromStart: null,
}
const fields = { prompt: 'input', tools: 'tools', format: formatField, logprobs: 'include' }

const translateRequest = (body: ResponsesBody, { tools, calling, textFormat }: Decided): TranslatedRequest => {
  const format = toAnswerFormat(textFormat)
  const known = tools.flatMap((one) => ('tool' in one ? [one] : []))
  const schemaPath = (index: number): string => {
    const one = known[index]
    return `tools[${one?.index}].${one?.tool.type === 'function' ? 'parameters' : 'format'}`
  }
  return {
    ...plainRequest({ model: body.model, prompt, fields }),
    stream: body.stream ?? false,
    calling,
    format,
    grammar: createGrammarSource({
      offered: known.map(({ tool }) => offeredTool(tool)),
      calling,
      format: format?.source ?? null,
      schemaPath,
    }),
    reasoningEffort: body.reasoning?.effort ?? null,
    sampling: readSampling(body),
    store: body.store ?? false,
  }
}

const readSampling = (body: ResponsesBody): RequestSampling => ({
  ...defaultSampling,
  maxTokens: body.max_output_tokens ?? null,
  temperature: body.temperature ?? null,
  topP: body.top_p ?? null,
  topLogprobs: body.include?.includes('message.output_text.logprobs') ? (body.top_logprobs ?? 0) : null,
})

type Repeated = { tools: RequestTool[]; toolChoice: ToolChoiceJson; textFormat: TextFormatJson; isNative: boolean }

const readOptions = (
  body: ResponsesBody,
  { tools, toolChoice, textFormat, isNative }: Repeated,
): Omit<ResponseOptions, 'native'> => {
  const known = tools.flatMap((one) => ('tool' in one ? [one.tool] : []))
  const ignored = isNative ? [] : tools.flatMap((one) => ('ignored' in one ? [one.ignored] : []))
  const summary = body.reasoning?.summary ?? body.reasoning?.generate_summary ?? null
  return {
    input: body.input ?? [],
    instructions: body.instructions ?? null,
    previousResponseId: body.previous_response_id ?? null,
    store: body.store ?? null,
    truncates: body.truncation === 'auto',
    summarises: summary !== null,
    customTools: known.filter(({ type }) => type === 'custom').map(({ name }) => name),
    ignoredTools: [...new Set(ignored)],
    wantsJsonWord: textFormat.type === 'json_object',
    obfuscate: body.stream_options?.include_obfuscation ?? false,
    echoes: {
      instructions: body.instructions ?? null,
      max_output_tokens: body.max_output_tokens ?? null,
      max_tool_calls: body.max_tool_calls ?? null,
      parallel_tool_calls: body.parallel_tool_calls ?? true,
      previous_response_id: body.previous_response_id ?? null,
      prompt_cache_key: body.prompt_cache_key ?? null,
      prompt_cache_retention: body.prompt_cache_retention ?? null,
      reasoning: { effort: body.reasoning?.effort ?? null, summary },
      safety_identifier: body.safety_identifier ?? null,
      temperature: body.temperature ?? null,
      text: { format: textFormat, verbosity: body.text?.verbosity ?? 'medium' },
      tool_choice: toolChoice,
      tools: isNative ? tools.map((one) => ('tool' in one ? one.tool : withoutSecrets(one.sent))) : known,
      top_logprobs: body.top_logprobs ?? 0,
      top_p: body.top_p ?? null,
      truncation: body.truncation ?? 'disabled',
      ...(typeof body.user === 'string' ? { user: body.user } : {}),
      metadata: body.metadata ?? {},
    },
  }
}
