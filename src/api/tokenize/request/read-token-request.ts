import { ApiError } from '../../../base/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { discardUnknown } from '../../../http/schema/unknown-fields.ts'
import { chatRequest } from '../../chat-completions/request/request.ts'
import {
  plainRequest,
  type RequestCalling,
  type TranslatedRequest,
} from '../../generation/request/generation-request.ts'
import { type FieldNeeds, type ReadFields, readFields } from '../../generation/request/read-fields.ts'
import { requestCalling } from '../../generation/request/to-generation-request.ts'
import { detokenizeBody, type TokenizeBody, templateFields, tokenizeBody } from './token-bodies.ts'

/** A prompt whose tokens are wanted: that of a chat completion, or a text. Plain data, since it may come from another thread. */
type TokenizeRequest = {
  type: 'tokenize'
  model: string
  asked: Omit<TranslatedRequest, 'grammar' | 'calling'> & { calling: RequestCalling | null }
  withoutBos: boolean
  returnStrings: boolean
}
type DetokenizeRequest = { type: 'detokenize'; model: string; tokens: number[] }
export type TokenRequest = (TokenizeRequest | DetokenizeRequest) & Pick<ReadFields<unknown>, 'ignoredFields'>

/** `defaultModel` is the model of a body that names none. */
export type TokenNeeds = { type: TokenRequest['type']; defaultModel: string | null } & FieldNeeds

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readTokenRequest = (bytes: Uint8Array, needs: TokenNeeds): TokenRequest => {
  const sent = parseJson(bytes)
  if (!isObject(sent)) throw ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' })
  const { model = needs.defaultModel ?? undefined } = sent
  if (model === undefined) throw ApiError.of('missing_model', {})
  const parsed = { ...sent, model }
  try {
    const { value, ignoredFields } = readFields(needs, () =>
      needs.type === 'tokenize' ? tokenizeRequest(tokenizeBody(parsed), parsed) : detokenizeRequest(parsed),
    )
    return { ...value, ignoredFields }
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}

const detokenizeRequest = (sent: unknown): DetokenizeRequest => ({ type: 'detokenize', ...detokenizeBody(sent) })

const onlyWithMessages = ['tools', 'chat_template_kwargs', 'continue_final_message', 'add_generation_prompt'] as const

const tokenizeRequest = (body: TokenizeBody, sent: Record<string, unknown>): TokenizeRequest => {
  const { model, return_token_strs, add_special_tokens } = body
  const prompt = body.prompt ?? null
  const hasMessages = (body.messages ?? null) !== null
  if (prompt === null && !hasMessages)
    throw ApiError.of('missing_required_parameter', { path: 'prompt' }, { param: 'prompt' })
  if (prompt !== null && hasMessages) throw refuse('prompt', "it cannot be combined with 'messages'")
  const returnStrings = return_token_strs ?? false
  if (prompt === null) {
    const fields = Object.entries(sent).filter(([name]) => name === 'messages' || Object.hasOwn(templateFields, name))
    const { chat: _, ...chat } = discardUnknown(() => chatRequest({ model, ...Object.fromEntries(fields) }))
    return { type: 'tokenize', model, asked: withoutGrammar(chat), withoutBos: false, returnStrings }
  }
  for (const name of onlyWithMessages)
    if ((body[name] ?? null) !== null) throw refuse(name, "it is only allowed with 'messages'")
  const raw = plainRequest({ model, prompt: { type: 'raw', prompts: [prompt] }, fields: { prompt: 'prompt' } })
  return {
    type: 'tokenize',
    model,
    asked: withoutGrammar(raw),
    withoutBos: add_special_tokens === false,
    returnStrings,
  }
}

const refuse = (path: string, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })

/** Nothing is generated, so nothing has to be compiled. */
const withoutGrammar = ({ grammar: _, calling, ...request }: TranslatedRequest): TokenizeRequest['asked'] => ({
  ...request,
  calling: calling === null ? null : requestCalling(calling),
})
