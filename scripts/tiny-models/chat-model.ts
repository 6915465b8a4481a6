import { byteLevelAlphabet } from '../../src/engine/embedded/token-bytes.ts'
import { f32, type GgufContents, ints, text, texts, u32 } from './gguf-bytes.ts'
import { createRandomTensors } from './random-tensors.ts'

type ChatModelOptions = {
  name: string
  seed: number
  architecture?: string
  chatTemplate?: string | null
  /** Tokens that no text contains, for a vocabulary of any size. */
  unusedTokens?: number
}

const width = 32
const heads = 2
const layers = 2
const feedForwardWidth = 64
const contextTokens = 2048
/** Kinds of tokens: ordinary text, and control tokens that only the template writes. */
const [normal, control] = [1, 3]
const controlTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
const merges = ['t h', 'Ġ th', 'h e', 'i n', 'Ġ a', 'e r', 'o n', 'Ġth e', 'r e', 'in g']

const chatMlTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** A language model of two llama layers over bytes and ten merged tokens. It answers, but says nothing sensible. */
export const chatModel = (options: ChatModelOptions): GgufContents => {
  const { name, seed, architecture = 'llama', chatTemplate = chatMlTemplate, unusedTokens = 0 } = options
  const unused = Array.from({ length: unusedTokens }, (_, index) => `unused${index}`)
  const tokens = [...byteLevelAlphabet, ...merges.map((merge) => merge.replace(' ', '')), ...controlTokens, ...unused]
  const setting = (key: string) => `${architecture}.${key}`
  return {
    metadata: {
      'general.architecture': text(architecture),
      'general.name': text(name),
      [setting('context_length')]: u32(contextTokens),
      [setting('embedding_length')]: u32(width),
      [setting('block_count')]: u32(layers),
      [setting('feed_forward_length')]: u32(feedForwardWidth),
      [setting('attention.head_count')]: u32(heads),
      [setting('attention.head_count_kv')]: u32(heads),
      [setting('attention.layer_norm_rms_epsilon')]: f32(1e-5),
      [setting('rope.dimension_count')]: u32(width / heads),
      [setting('vocab_size')]: u32(tokens.length),
      'tokenizer.ggml.model': text('gpt2'),
      'tokenizer.ggml.pre': text('gpt-2'),
      'tokenizer.ggml.tokens': texts(tokens),
      'tokenizer.ggml.token_type': ints(tokens.map((token) => (controlTokens.includes(token) ? control : normal))),
      'tokenizer.ggml.merges': texts(merges),
      'tokenizer.ggml.bos_token_id': u32(tokens.indexOf('<|endoftext|>')),
      'tokenizer.ggml.eos_token_id': u32(tokens.indexOf('<|im_end|>')),
      ...(chatTemplate === null ? {} : { 'tokenizer.chat_template': text(chatTemplate) }),
    },
    tensors: chatTensors(seed, tokens.length),
  }
}

const chatTensors = (seed: number, vocabularyTokens: number) => {
  const { matrix, embedding, scale } = createRandomTensors(seed)
  const layer = (index: number) => {
    const name = (part: string) => `blk.${index}.${part}`
    return [
      scale(name('attn_norm'), width),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((part) => matrix(name(part), [width, width])),
      scale(name('ffn_norm'), width),
      ...['ffn_gate', 'ffn_up'].map((part) => matrix(name(part), [width, feedForwardWidth])),
      matrix(name('ffn_down'), [feedForwardWidth, width]),
    ]
  }
  return [
    embedding('token_embd', [width, vocabularyTokens]),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    scale('output_norm', width),
    matrix('output', [width, vocabularyTokens]),
  ]
}
