import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchPath } from './scratch-path.ts'

/** How byte-level vocabularies spell the 256 bytes. */
const spelledBytes = (): string[] => {
  const isShown = (byte: number): boolean => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => {
    if (isShown(byte)) return String.fromCodePoint(byte)
    next += 1
    return String.fromCodePoint(next - 1)
  })
}

/** A byte-level BPE: each of these words is one token with the space before it, all else one token for each byte. */
export const byteLevelTokenizer = (words: readonly string[] = ['Hello', 'world', 'cat']) => {
  const vocabulary = new Set(spelledBytes())
  const merges: string[] = []
  for (const word of words) {
    for (let end = 2; end <= word.length; end += 1) {
      merges.push(`${word.slice(0, end - 1)} ${word.slice(end - 1, end)}`)
      vocabulary.add(word.slice(0, end))
    }
    merges.push(`Ġ ${word}`)
    vocabulary.add(`Ġ${word}`)
  }
  const vocab = Object.fromEntries([...vocabulary].map((token, id) => [token, id]))
  const special = ['<|im_start|>', '<|im_end|>'].map((content, index) => ({
    ...{ id: vocabulary.size + index, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }))
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', dropout: null, unk_token: null, fuse_unk: false, byte_fallback: false, vocab, merges },
  }
}

const chatTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

/** Writes a tokenizer into a folder of its own and returns the path of the `tokenizer.json`. */
export const writeTokenizer = (tokenizer: unknown = byteLevelTokenizer(), { withTemplate = false } = {}): string => {
  const folder = scratchPath()
  const path = join(folder, 'tokenizer.json')
  writeFileSync(path, typeof tokenizer === 'string' ? tokenizer : JSON.stringify(tokenizer))
  if (withTemplate)
    writeFileSync(
      join(folder, 'tokenizer_config.json'),
      JSON.stringify({ chat_template: chatTemplate, bos_token: null }),
    )
  return path
}
