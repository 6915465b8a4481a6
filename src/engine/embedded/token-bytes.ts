import type { Vocabulary } from './llama/vocabulary.ts'

const replacement = '\uFFFD'

/**
 * The raw bytes of a token; the joined bytes of an answer's tokens are the bytes of its text. A token may contain part
 * of a character, which has no text: its bytes then come from the vocabulary's spelling.
 */
export const createTokenBytes = (
  vocabulary: Pick<Vocabulary, 'tokenise' | 'detokenise' | 'entry'>,
): ((id: number) => Uint8Array) => {
  const known = new Map<number, Uint8Array>()
  // Some vocabularies drop the space before the first token of a text; after another token it stays.
  const anchor = vocabulary.tokenise('a', { special: false, continued: false })
  const anchorText = vocabulary.detokenise(anchor)
  const tokenText = (id: number): string => {
    const text = vocabulary.detokenise([...anchor, id])
    return text.startsWith(anchorText) ? text.slice(anchorText.length) : vocabulary.detokenise([id])
  }
  const tokenBytes = (id: number): Uint8Array => {
    const text = tokenText(id)
    if (!text.includes(replacement)) return Buffer.from(text)
    const entry = vocabulary.entry(id) ?? ''
    return byteTokenBytes(entry) ?? byteLevelBytes(entry) ?? Buffer.from(text)
  }
  return (id) => {
    // A copy: a message with a view of a larger buffer would contain the whole buffer.
    const bytes = known.get(id) ?? new Uint8Array(tokenBytes(id))
    known.set(id, bytes)
    return bytes
  }
}

/** SentencePiece vocabularies spell a lone byte `<0xE3>`. */
export const byteTokenBytes = (entry: string): Uint8Array | null => {
  const digits = /^<0x([0-9A-Fa-f]{2})>$/.exec(entry)?.[1]
  return digits === undefined ? null : Uint8Array.of(Number.parseInt(digits, 16))
}

/** Byte-level BPE vocabularies (GPT-2 and its heirs) spell every byte as one printable character. */
export const byteLevelBytes = (entry: string): Uint8Array | null => {
  const bytes = Array.from(entry, (character) => byteOfCharacter.get(character))
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : null
}

/** Printable Latin-1 represents itself; each other byte, in order, maps to a character from U+0100 on. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff)

export const byteLevelAlphabet: readonly string[] = (() => {
  let moved = 0
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : 0x100 + moved++))
})()

const byteOfCharacter = new Map(byteLevelAlphabet.map((character, byte) => [character, byte]))
