import { errorCode } from '../../../base/caught-error.ts'
import { GgufRefused } from '../../../gguf/gguf-refused.ts'
import { type GgufFile, type GgufValue, readGguf } from '../../../gguf/read-gguf.ts'
import { type LlamaApi, loadLlamaApi, type Pointer } from '../../embedded/llama/llama-api.ts'
import { openVocabulary } from '../../embedded/llama/open-vocabulary.ts'
import { promptTokens } from '../../embedded/prompt-tokens.ts'
import { type ChatTemplate, createChatTemplate } from '../../embedded/template.ts'
import { ModelRefused } from '../../model-refused.ts'
import { type LoadedTokenizer, TokenizerRefused } from './loaded-tokenizer.ts'

/** Four times the largest vocabularies in use. */
const maxTokens = 2 ** 20
/** Values of `tokenizer.ggml.model` of models that take only token ids. */
const withoutVocabulary: readonly GgufValue[] = ['none', 'no_vocab']
/** Of all lists together; a vocabulary has up to four, and some have twice as many merges as tokens. */
const maxItems = 2 ** 22

/**
 * Reads the vocabulary and the chat template of a GGUF file with llama.cpp, without its weights. A crafted file may make
 * llama.cpp end the process, so this must not run in the server. Throws a `TokenizerRefused` that says what is wrong.
 */
export const loadGgufTokenizer = async (path: string): Promise<LoadedTokenizer> => {
  check(await read(path), path)
  const errors: string[] = []
  const api = loadLlamaApi({ gpu: false }, (level, text) => {
    if (level === 'error') errors.push(text)
  })
  const params = { ...api.llama_model_default_params(), n_gpu_layers: 0, vocab_only: true }
  // On another thread, so that the process notices meanwhile if the server is gone.
  const model = await api.llama_model_load_from_file.inBackground(path, params)
  if (model === null) throw new TokenizerRefused(`${path} cannot be used: ${errors[0] ?? 'llama.cpp gives no reason'}`)
  try {
    return openTokenizer(api, model, path)
  } catch (error) {
    api.llama_model_free(model)
    throw error
  }
}

const openTokenizer = (api: LlamaApi, model: Pointer, path: string): LoadedTokenizer => {
  const vocabulary = openVocabulary(api, api.llama_model_get_vocab(model))
  const source = api.llama_model_chat_template(model, null)
  const tokens = { bosToken: vocabulary.bos?.text ?? '', eosToken: vocabulary.eosText ?? '' }
  return {
    count: (text) => vocabulary.tokenise(text, { special: true, continued: true }).length,
    countPrompt(text, { bos }) {
      const used = bos ? vocabulary : { ...vocabulary, prependBos: false }
      return promptTokens([{ text, plain: false }], used).tokens.length
    },
    template: source === null ? null : loadTemplate(source, tokens, path),
    close: () => api.llama_model_free(model),
  }
}

const loadTemplate = (source: string, tokens: Parameters<typeof createChatTemplate>[1], path: string): ChatTemplate => {
  try {
    return createChatTemplate(source, tokens)
  } catch (error) {
    if (!(error instanceof ModelRefused)) throw error
    throw new TokenizerRefused(`the chat template in ${path} cannot be read: ${error.message}`)
  }
}

const listLength = (value: GgufValue | undefined): number =>
  typeof value === 'object' && 'list' in value ? value.list : 0

/** llama.cpp reads all lists into memory before it looks at them. */
const check = ({ metadata }: GgufFile, path: string): void => {
  const refuse = (reason: string): never => {
    throw new TokenizerRefused(`${path} ${reason}`)
  }
  const tokens = listLength(metadata.get('tokenizer.ggml.tokens'))
  const items = [...metadata.values()].map(listLength).reduce((sum, length) => sum + length, 0)
  if (tokens === 0 || withoutVocabulary.includes(metadata.get('tokenizer.ggml.model') ?? 'none'))
    refuse('contains no tokenizer')
  if (tokens > maxTokens) refuse(`is too large: its vocabulary has ${tokens} tokens, more than ${maxTokens}`)
  if (items > maxItems) refuse(`is too large: its lists have ${items} items, more than ${maxItems}`)
}

const read = async (path: string): Promise<GgufFile> => {
  try {
    return await readGguf(path)
  } catch (error) {
    if (error instanceof GgufRefused) throw new TokenizerRefused(`${path} ${error.message}`)
    const code = errorCode(error)
    if (code === '') throw error
    throw new TokenizerRefused(code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read (${code})`)
  }
}
