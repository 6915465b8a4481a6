import type { PromptPiece } from './guarded-rendering.ts'
import type { Vocabulary } from './llama/vocabulary.ts'

type PromptVocabulary = Pick<Vocabulary, 'bos' | 'prependBos' | 'special' | 'tokenise'>
export type PromptTokens = { tokens: number[] /** False where counting stopped past the limit. */; complete: boolean }

/** Cutting through a token may turn it into two or three. */
const cutSlack = 8
const likelyCharsPerToken = 8

/**
 * The tokens of a rendered prompt, with exactly one BOS in front if the model requires one, whether or not the template
 * wrote it. Tokenising blocks every other prompt, so counting stops once there are more than `limit` tokens.
 */
export const promptTokens = (
  pieces: readonly PromptPiece[],
  vocabulary: PromptVocabulary,
  limit = Number.POSITIVE_INFINITY,
): PromptTokens => {
  const { bos, prependBos } = vocabulary
  let tokens: number[] = []
  for (const [index, piece] of pieces.entries()) {
    const room = limit - tokens.length
    const head = room < 0 ? [] : tooManyTokens(piece, room, vocabulary)
    if (head !== null) return { tokens: tokens.concat(head), complete: false }
    tokens = tokens.concat(pieceTokens(piece, index > 0, vocabulary))
  }
  const withBos = prependBos && bos && tokens[0] !== bos.id ? [bos.id, ...tokens] : tokens
  return { tokens: withBos, complete: true }
}

/** A shorter text is tokenised as a whole even if only its last tokens are wanted. */
const leastTailChars = 65_536

/**
 * The last tokens of a rendered prompt, at most `max`. Of a long one, only as much of the end is tokenised as is needed for them:
 * tokens near the cut may differ from those of the whole text, and are left out.
 */
export const lastPromptTokens = (
  pieces: readonly PromptPiece[],
  vocabulary: PromptVocabulary,
  max: number,
): PromptTokens => {
  for (let chars = Math.max(leastTailChars, (max + cutSlack) * likelyCharsPerToken); ; chars *= 2) {
    const tail = endOf(pieces, chars)
    const isWhole = tail === pieces
    const { tokens } = promptTokens(tail, isWhole ? vocabulary : { ...vocabulary, prependBos: false })
    if (isWhole || tokens.length > max + cutSlack) return { tokens: tokens.slice(-max), complete: true }
  }
}

/** The pieces at the end that have so many characters; all of them if they have fewer. */
const endOf = (pieces: readonly PromptPiece[], chars: number): readonly PromptPiece[] => {
  let left = chars
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    const piece = pieces[index]
    if (piece === undefined) break
    if (piece.text.length > left) {
      // An emoji is not cut in two.
      const text = piece.text.slice(-left).replace(/^[\udc00-\udfff]/, '')
      return [{ ...piece, text }, ...pieces.slice(index + 1)]
    }
    left -= piece.text.length
  }
  return pieces
}

/** Tells how many characters of the text a token has. */
const probeChars = 2048
/** The rest of a text may have longer tokens than its beginning. */
const margin = 1.25

/**
 * Tokenises increasingly long prefixes of a long text; null unless one of them already exceeds the limit. The second is as long as
 * the first one says, because the same number of tokens takes ten times as many characters in some texts as in others; but not
 * longer than is likely, because a text may begin with spaces.
 */
const tooManyTokens = ({ text, plain }: PromptPiece, room: number, vocabulary: PromptVocabulary): number[] | null => {
  const limit = room + cutSlack
  if (text.length <= limit) return null
  for (let chars = probeChars; chars < text.length; ) {
    const head = vocabulary.tokenise(text.slice(0, chars), { special: !plain, continued: true })
    if (head.length > limit) return head
    const enough = Math.ceil((margin * limit * chars) / Math.max(1, head.length))
    chars = Math.max(2 * chars, Math.min(enough, limit * likelyCharsPerToken))
  }
  return null
}

const pieceTokens = ({ text, plain }: PromptPiece, continued: boolean, vocabulary: PromptVocabulary): number[] => {
  if (!plain) return vocabulary.tokenise(text, { special: true, continued })
  const tokens = vocabulary.tokenise(text, { special: false, continued })
  if (!tokens.some((id) => vocabulary.special.has(id))) return tokens
  // Some special tokens are matched in any text, but never in a single character.
  return Array.from(text).flatMap((character) => vocabulary.tokenise(character, { special: false, continued: true }))
}
