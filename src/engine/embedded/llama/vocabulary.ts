/** What the rest of the engine needs to know of a model's tokens. */
export interface Vocabulary {
  readonly bos: { id: number; text: string } | null
  readonly eosText: string | null
  /** The weights ask for a BOS token in front of every prompt. */
  readonly prependBos: boolean
  /** Tokens that only the template may use: their texts in a message are text. */
  readonly special: ReadonlyMap<number, string>
  /** `special`: texts of special tokens become these tokens. `continued`: it follows other text, so no space is put in front. */
  tokenise(text: string, options: { special: boolean; continued: boolean }): number[]
  /** As text; half a character becomes U+FFFD, a special token nothing. */
  detokenise(ids: readonly number[]): string
  /** The entry as the vocabulary file spells it. */
  entry(id: number): string | undefined
  endsGeneration(id: number): boolean
}
