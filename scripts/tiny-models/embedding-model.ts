import { bool, f32, type GgufContents, ints, text, texts, u32 } from './gguf-bytes.ts'
import { createRandomTensors } from './random-tensors.ts'

type EmbeddingModelOptions = {
  name: string
  seed: number
  /** A head that scores pairs of texts, instead of vectors. */
  isReranker?: boolean
  /** How a reranker joins them; default: with separator tokens. */
  pairTemplate?: string
  /** Its matrices are stored in 8 bits. */
  isQuantised?: boolean
  /** Tokens that no text has. */
  unusedTokens?: number
}

const width = 32
const heads = 2
const layers = 2
const feedForwardWidth = 64
const contextTokens = 256
const quantisedTensors = /^(token_embd|blk\.\d+\.(attn_(q|k|v|output)|ffn_(up|down)))\.weight$/
const tokenTypes = 2
const [meanPooling, rankPooling] = [1, 4]
const [normal, control] = [1, 3]
const controlTokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
const words = ['the', 'a', 'and', 'of', 'to', 'in', 'is', 'river', 'bank', 'money', 'cat', 'dog', 'house', 'water']
/** Printable ASCII without capitals, which the tokeniser lowers. */
const characters = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => !/[A-Z]/.test(character),
)
/** llama.cpp spells the first token of a word with this in front. */
const wordStart = '▁'

/**
 * A BERT encoder of two layers with mean pooling, or with a reranking head, and a WordPiece vocabulary of single characters and
 * a few words.
 */
export const embeddingModel = ({
  name,
  seed,
  isReranker = false,
  pairTemplate,
  isQuantised = false,
  unusedTokens = 0,
}: EmbeddingModelOptions): GgufContents => {
  const starts = [...new Set([...characters, ...words])].map((entry) => `${wordStart}${entry}`)
  const unused = Array.from({ length: unusedTokens }, (_, index) => `[unused${index}]`)
  const tokens = [...controlTokens, ...starts, ...characters, ...unused]
  const id = (token: string) => u32(tokens.indexOf(token))
  return {
    metadata: {
      'general.architecture': text('bert'),
      'general.name': text(name),
      'bert.context_length': u32(contextTokens),
      'bert.embedding_length': u32(width),
      'bert.block_count': u32(layers),
      'bert.feed_forward_length': u32(feedForwardWidth),
      'bert.attention.head_count': u32(heads),
      'bert.attention.layer_norm_epsilon': f32(1e-12),
      'bert.attention.causal': bool(false),
      'bert.pooling_type': u32(isReranker ? rankPooling : meanPooling),
      ...(pairTemplate === undefined ? {} : { 'tokenizer.chat_template.rerank': text(pairTemplate) }),
      'tokenizer.ggml.model': text('bert'),
      'tokenizer.ggml.pre': text('default'),
      'tokenizer.ggml.tokens': texts(tokens),
      'tokenizer.ggml.token_type': ints(tokens.map((token) => (controlTokens.includes(token) ? control : normal))),
      'tokenizer.ggml.token_type_count': u32(tokenTypes),
      'tokenizer.ggml.padding_token_id': id('[PAD]'),
      'tokenizer.ggml.unknown_token_id': id('[UNK]'),
      'tokenizer.ggml.bos_token_id': id('[CLS]'),
      'tokenizer.ggml.cls_token_id': id('[CLS]'),
      'tokenizer.ggml.seperator_token_id': id('[SEP]'),
      'tokenizer.ggml.mask_token_id': id('[MASK]'),
    },
    tensors: embeddingTensors(seed, tokens.length, isReranker).map((tensor) =>
      isQuantised && quantisedTensors.test(tensor.name) ? { ...tensor, isQuantised } : tensor,
    ),
  }
}

const embeddingTensors = (seed: number, vocabularyTokens: number, isReranker: boolean) => {
  const { matrix, embedding, scale, bias } = createRandomTensors(seed)
  const norm = (name: string) => [scale(name, width), bias(name, width)]
  const linear = (name: string, from: number, to: number) => [matrix(name, [from, to]), bias(name, to)]
  const layer = (index: number) => {
    const name = (part: string) => `blk.${index}.${part}`
    return [
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((part) => linear(name(part), width, width)),
      ...norm(name('attn_output_norm')),
      ...linear(name('ffn_up'), width, feedForwardWidth),
      ...linear(name('ffn_down'), feedForwardWidth, width),
      ...norm(name('layer_output_norm')),
    ]
  }
  return [
    embedding('token_embd', [width, vocabularyTokens]),
    embedding('token_types', [width, tokenTypes]),
    embedding('position_embd', [width, contextTokens]),
    ...norm('token_embd_norm'),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    ...(isReranker ? [...linear('cls', width, width), ...linear('cls.output', width, 1)] : []),
  ]
}
