import type { Pointer, VocabularyApi } from './llama-api.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Bits of llama.cpp's token attributes. */
const [unknownBit, controlBit] = [1, 8]
/** How SentencePiece vocabularies spell a space. */
const spelledSpace = '\u2581'

export const openVocabulary = (api: VocabularyApi, vocab: Pointer): Vocabulary & { size: number } => {
  const size = api.llama_vocab_n_tokens(vocab)
  const entry = (id: number) => (id >= 0 && id < size ? api.llama_vocab_get_text(vocab, id) : undefined)
  const attributes = (id: number) => api.llama_vocab_get_attr(vocab, id)
  const endsGeneration = (id: number) => api.llama_vocab_is_eog(vocab, id)
  const special = new Map<number, string>()
  for (let id = 0; id < size; id += 1)
    if ((attributes(id) & (unknownBit | controlBit)) !== 0 || endsGeneration(id)) special.set(id, entry(id) ?? '')
  const controlToken = (id: number) => {
    const text = id >= 0 && (attributes(id) & controlBit) !== 0 ? entry(id) : undefined
    return text === undefined ? null : { id, text }
  }
  const tokenise = (text: string, isSpecial: boolean) => tokeniseText(api, vocab, text, isSpecial)
  const [first = -1] = tokenise('a', false)
  const addsSpace = entry(first)?.startsWith(spelledSpace) ?? false
  const bos = controlToken(api.llama_vocab_bos(vocab))
  return {
    size,
    bos,
    eosText: controlToken(api.llama_vocab_eos(vocab))?.text ?? null,
    prependBos: bos !== null && api.llama_vocab_get_add_bos(vocab),
    special,
    tokenise: (text, { special: isSpecial, continued }) =>
      continued && addsSpace ? tokensBehindLineBreak(tokenise, text, isSpecial) : tokenise(text, isSpecial),
    detokenise: (ids, { special: isSpecial } = { special: false }) => detokeniseText(api, vocab, ids, isSpecial),
    entry,
    endsGeneration,
  }
}

type Tokenise = (text: string, isSpecial: boolean) => number[]

/** llama.cpp inserts a space before a text, but not after a line break. */
const tokensBehindLineBreak = (tokenise: Tokenise, text: string, isSpecial: boolean): number[] => {
  const lineBreak = tokenise('\n', isSpecial)
  const tokens = tokenise(`\n${text}`, isSpecial)
  const isPrefix = lineBreak.every((id, index) => tokens[index] === id)
  return isPrefix ? tokens.slice(lineBreak.length) : tokenise(text, isSpecial)
}

const tokeniseText = (api: VocabularyApi, vocab: Pointer, text: string, isSpecial: boolean): number[] => {
  const bytes = Buffer.from(text)
  if (bytes.length === 0) return []
  // A token has at least one byte, except for the space that may be inserted in front.
  const tokens = new Int32Array(bytes.length + 2)
  const count = api.llama_tokenize(vocab, bytes, bytes.length, tokens, tokens.length, false, isSpecial)
  if (count < 0) throw new Error(`llama.cpp could not tokenise a text of ${bytes.length} bytes`)
  return Array.from(tokens.subarray(0, count))
}

const detokeniseText = (api: VocabularyApi, vocab: Pointer, ids: readonly number[], isSpecial: boolean): string => {
  const tokens = Int32Array.from(ids)
  const write = (bytes: Buffer) =>
    api.llama_detokenize(vocab, tokens, tokens.length, bytes, bytes.length, false, isSpecial)
  const guessed = Buffer.alloc(16 + 8 * tokens.length)
  const written = write(guessed)
  if (written >= 0) return guessed.toString('utf8', 0, written)
  const exact = Buffer.alloc(-written)
  return exact.toString('utf8', 0, write(exact))
}
