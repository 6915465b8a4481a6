import { ApiError } from '../../../base/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { extractFromBody, type NeededExtracts } from '../../chat-completions/request/body-extracts.ts'
import type { ChatRequest, RawPrompt } from '../../chat-completions/request/request.ts'
import { nameOtherEndpoint } from '../../generation/name-other-endpoint.ts'
import { readFields } from '../../generation/read-fields.ts'
import { type ReceivedRequest, receivedOf } from '../../generation/received-of.ts'
import { type CompletionsBody, completionsBody, mostChoices } from './completions-body.ts'

/** `echoes`: for each prompt the text that precedes its choices, which may be empty. */
export type CompletionsRequest = ReceivedRequest & { echoes: string[] }

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readCompletionsRequest = (bytes: Uint8Array, needs: NeededExtracts): CompletionsRequest => {
  const parsed = parseJson(bytes)
  if (!isObject(parsed)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  if (parsed.model === undefined) throw ApiError.of('missing_model', {})
  try {
    const { value: body, ignoredFields } = readFields(needs, () => completionsBody(parsed))
    refuseConflicts(body)
    const request = chatRequestOf(body)
    const extracts = extractFromBody(parsed, request, needs, ['completions', parsed])
    const echoes = body.prompt.map((prompt) => (body.echo && typeof prompt === 'string' ? prompt : ''))
    const messagesBytes = extracts.messagesBytes + body.prompt.reduce((sum, prompt) => sum + tokenBytes(prompt), 0)
    return { ...receivedOf(request, { ...extracts, messagesBytes }, needs), ignoredFields, echoes }
  } catch (error) {
    throw nameOtherEndpoint(error, parsed, 'completions')
  }
}

/** Token ids are not in the messages, from which the size of a prompt is estimated: about three bytes each. */
const tokenBytes = (prompt: RawPrompt): number => (typeof prompt === 'string' ? 0 : 3 * prompt.length)

const refuse = (path: string, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })

const refuseConflicts = ({ n, best_of, echo, prompt, logprobs, stream, stream_options }: CompletionsBody): void => {
  if ((best_of ?? 1) > (n ?? 1)) throw refuse('best_of', 'completions are not ranked, so it cannot be more than n')
  if (prompt.length * (n ?? 1) > mostChoices)
    throw refuse('n', `${prompt.length} prompts with ${n} choices each are more than ${mostChoices} choices`)
  if (echo && prompt.some((one) => typeof one !== 'string'))
    throw refuse('echo', 'a prompt of token IDs is not returned as text')
  if (echo && typeof logprobs === 'number')
    throw refuse('echo', 'the log probabilities of a prompt are not computed; omit logprobs or echo')
  if (stream_options && !stream) throw ApiError.of('stream_options_without_stream', {}, { param: 'stream_options' })
}

/** The older API's default. */
const defaultMaxTokens = 16

const chatRequestOf = (body: CompletionsBody): ChatRequest => ({
  model: body.model,
  messages: body.prompt.map((prompt) => ({ role: 'user', content: typeof prompt === 'string' ? prompt : '' })),
  rawPrompts: body.prompt,
  n: body.prompt.length * (body.n ?? 1),
  stream: body.stream ?? false,
  includeUsage: body.stream_options?.include_usage ?? false,
  obfuscate: false,
  calling: null,
  format: { source: null, field: 'response_format', wantsWord: false },
  grammar: null,
  templateVariables: {},
  opening: 'answer',
  reasoningEffort: undefined,
  sampling: {
    maxTokens: body.max_tokens ?? defaultMaxTokens,
    minTokens: 0,
    ignoreEnd: false,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    topK: null,
    minP: null,
    repetitionPenalty: null,
    frequencyPenalty: body.frequency_penalty ?? 0,
    presencePenalty: body.presence_penalty ?? 0,
    logitBias: body.logit_bias ?? [],
    seed: typeof body.seed === 'number' ? Number(BigInt.asUintN(32, BigInt(body.seed))) : null,
    stops: body.stop ?? [],
    stopIds: [],
    topLogprobs: body.logprobs ?? null,
  },
  returnTokenIds: false,
  store: false,
  metadata: null,
})
