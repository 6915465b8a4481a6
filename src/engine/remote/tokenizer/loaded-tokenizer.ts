import type { ChatTemplate } from '../../embedded/template.ts'

/** A tokenizer in memory, for counting. */
export interface LoadedTokenizer {
  /** The tokens of a text, in which spellings of control tokens count as such. */
  count(text: string): number
  /** Those of a whole prompt. `bos`: with the token that begins every prompt, if the model requires one. */
  countPrompt(text: string, options: { bos: boolean }): number
  /** Null if the model has none, or it is not known. */
  readonly template: ChatTemplate | null
  close(): void
}

/** A tokenizer file that cannot be used; the message is a part of a sentence, for the operator. */
export class TokenizerRefused extends Error {
  override readonly name = 'TokenizerRefused'
}
