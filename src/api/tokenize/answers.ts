import { ApiError } from '../../base/api-error.ts'
import type { Conversation, Engine, EngineCaller } from '../../engine/contract.ts'
import { kindOfFeatures, wrongModelKind } from '../../engine/wrong-model-kind.ts'
import { withPrefixes } from '../embeddings/with-prefixes.ts'
import { refuseUnsupported } from '../generation/accept/refuse-unsupported.ts'
import type { Prompt } from '../generation/request/generation-request.ts'
import type { TokenRequest } from './request/read-token-request.ts'

type TokenizeRequest = TokenRequest & { type: 'tokenize' }

/** The tokens of a prompt, in vLLM's shape. A prompt that leaves no room for an answer is refused, as it is elsewhere. */
export const tokenizeJson = async (
  request: TokenizeRequest,
  engine: Engine,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<object> => {
  const { asked, withoutBos, returnStrings } = request
  if (kindOfFeatures(engine.model.features) !== 'chat') return inputTokensJson(request, engine, caller, signal)
  refuseUnsupported(asked, engine.model)
  const conversation = { ...toConversation(asked.prompt), tools: asked.calling?.shown ?? [], ...caller }
  const prepared = await engine.prepare(withoutBos ? { ...conversation, withoutBos } : conversation, signal)
  const { promptTokenIds: tokens } = prepared
  if (tokens === null || engine.detokenise === undefined) throw tokensUnknown(engine.model.id)
  const { spellings } = returnStrings ? await engine.detokenise(tokens, caller.ownerId, signal) : { spellings: null }
  return { count: tokens.length, max_model_len: engine.model.contextTokens, tokens, token_strs: spellings }
}

/** The tokens that a text has as an input of `POST /v1/embeddings`; without special tokens, those of the text alone. */
const inputTokensJson = async (
  { asked, withoutBos, returnStrings }: TokenizeRequest,
  engine: Engine,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<object> => {
  const { model } = engine
  const text = asked.prompt.type === 'raw' ? asked.prompt.prompts[0] : undefined
  if (typeof text !== 'string') throw wrongModelKind(model.id, 'embedding', 'chat')
  if (returnStrings) throw ApiError.of('refused_value', spellingsUnknown, { param: spellingsUnknown.path })
  const inputs = withoutBos ? [text] : withPrefixes([text], null, model.prefixes)
  const prepared = await engine.prepareInputs?.(inputs, signal, caller, { isBare: withoutBos, name: 'prompt' })
  const [tokens] = prepared?.tokenIds ?? []
  if (tokens === undefined) throw tokensUnknown(model.id)
  return { count: tokens.length, max_model_len: model.contextTokens, tokens: Array.from(tokens), token_strs: null }
}
const spellingsUnknown = {
  path: 'return_token_strs',
  reason: 'the tokens of embedding models are only returned as IDs',
}

const toConversation = (prompt: Prompt): Omit<Conversation, keyof EngineCaller | 'tools'> => {
  if (prompt.type === 'raw')
    return { messages: [], rawPrompt: prompt.prompts[0] ?? '', templateVariables: {}, opening: 'answer' }
  const { messages, templateVariables, opening } = prompt
  return { messages, templateVariables, opening }
}

/**
 * The text of tokens, at most as many as a prompt can have, because each costs the engine's process time and memory.
 */
export const detokenizeJson = async (
  tokens: readonly number[],
  engine: Engine,
  { ownerId }: EngineCaller,
  signal: AbortSignal,
): Promise<object> => {
  const { id, contextTokens, vocabularyTokens } = engine.model
  if (engine.detokenise === undefined) throw tokensUnknown(id)
  if (contextTokens !== null && tokens.length > contextTokens) {
    const values = { path: 'tokens', contextTokens, tokens: tokens.length }
    throw ApiError.of('input_too_long', values, { param: 'tokens' })
  }
  const unknown = tokens.findIndex((token) => vocabularyTokens !== null && token >= vocabularyTokens)
  if (unknown !== -1) {
    const path = `tokens[${unknown}]`
    throw ApiError.of('unknown_input_token', { path, id: tokens[unknown] ?? 0 }, { param: path })
  }
  const { text } = await engine.detokenise(tokens, ownerId, signal)
  return { prompt: text }
}

export const tokensUnknown = (model: string): ApiError => ApiError.of('tokens_unknown', { model }, { param: 'model' })

/** The fields of a `tokenizer_config.json` that vLLM returns, as far as llama.cpp knows them. */
export const tokenizerInfoJson = ({ model, tokenizer = null }: Pick<Engine, 'model' | 'tokenizer'>) => {
  if (tokenizer === null) throw tokensUnknown(model.id)
  const { bosText, eosText, prependsBos, chatTemplate } = tokenizer
  return {
    tokenizer_class: 'llama.cpp',
    chat_template: chatTemplate,
    bos_token: bosText,
    eos_token: eosText,
    add_bos_token: prependsBos,
    model_max_length: model.contextTokens,
  }
}
