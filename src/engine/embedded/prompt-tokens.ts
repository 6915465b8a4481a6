import type { PromptPiece } from './guarded-rendering.ts'
import type { Vocabulary } from './vocabulary.ts'

type PromptVocabulary = Pick<Vocabulary, 'bos' | 'prependBos' | 'special' | 'tokenise'>

/** The tokens of a rendered prompt. One BOS in front where the model wants one, whether or not the template wrote it. */
export const promptTokens = (pieces: readonly PromptPiece[], vocabulary: PromptVocabulary): number[] => {
  const tokens = pieces.flatMap((piece, index) => pieceTokens(piece, index > 0, vocabulary))
  const { bos, prependBos } = vocabulary
  return prependBos && bos && tokens[0] !== bos.id ? [bos.id, ...tokens] : tokens
}

const pieceTokens = ({ text, plain }: PromptPiece, continued: boolean, vocabulary: PromptVocabulary): number[] => {
  if (!plain) return vocabulary.tokenise(text, { special: true, continued })
  const tokens = vocabulary.tokenise(text, { special: false, continued })
  if (!tokens.some((id) => vocabulary.special.has(id))) return tokens
  // Some tokens are matched in any text; a single character never is one of them.
  return Array.from(text).flatMap((character) => vocabulary.tokenise(character, { special: false, continued: true }))
}
