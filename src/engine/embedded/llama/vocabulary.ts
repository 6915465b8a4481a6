/** The token operations that the rest of the engine needs. */
export interface Vocabulary {
  readonly bos: { id: number; text: string } | null
  readonly eosText: string | null
  /** The weights require a BOS token before every prompt. */
  readonly prependBos: boolean
  /** Tokens reserved for the template; in a message their spellings are plain text. */
  readonly special: ReadonlyMap<number, string>
  /** `special`: spellings of special tokens become those tokens. `continued`: no space is inserted in front. */
  tokenise(text: string, options: { special: boolean; continued: boolean }): number[]
  /** As text; a partial character becomes U+FFFD, a special token its spelling with `special`, otherwise an empty string. */
  detokenise(ids: readonly number[], options?: { special: boolean }): string
  /** The entry as the vocabulary file spells it. */
  entry(id: number): string | undefined
  endsGeneration(id: number): boolean
}
