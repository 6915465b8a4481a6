import type { CompiledGrammar } from '../../grammar/compiled-grammar.ts'

/** Constrains an answer to a grammar, from its start or from the end of the first occurrence of a text. */
export type Constraint = { grammar: CompiledGrammar; after: string | null }

/** Options of a request; null selects the model's own setting. */
export type Sampling = {
  /** Maximum number of tokens in the answer; 0: the prompt is only read; null: as many as fit. */
  maxTokens: number | null
  /**
   * An upstream may answer with fewer than `maxTokens`: the caller did not choose it, or the endpoint accepts limits that no
   * model has.
   */
  mayLowerLimit?: true
  /** Minimum number of tokens before an end token is allowed. */
  minTokens: number
  /** End tokens do not end the answer. */
  ignoreEnd: boolean
  temperature: number | null
  topP: number | null
  /** 0: no limit. */
  topK: number | null
  minP: number | null
  /** Applies to prompt and answer; 1: no penalty. */
  repetitionPenalty: number | null
  /** Applies to the answer only; 0: no penalty. */
  frequencyPenalty: number
  presencePenalty: number
  /** Added to the logits of these ids. */
  logitBias: readonly (readonly [id: number, bias: number])[]
  /** 32 bits. The same seed and request give the same answer, as far as the engine can guarantee it. */
  seed: number | null
  /** Texts that end the answer. An engine may stop early at one; the API truncates the answer in any case. */
  stops: readonly string[]
  /** The only ids that may be sampled; null: any. Other ids that end an answer cannot end it either. */
  allowedIds: readonly number[] | null
  /** Ids that end the answer like an end token. */
  stopIds: readonly number[]
  /** How many of the most likely tokens to report per token; 0: only the token's own probability; null: none. */
  topLogprobs: number | null
  /** The tokens that are reported instead of the most likely ones; empty: those. Only with `topLogprobs`. */
  logprobIds: readonly number[]
  /** The same for each token of the prompt. Only for engines with known token ids. */
  promptLogprobs: number | null
  /** Also for the token that ends the answer, which otherwise comes with `promptLogprobs`. Only with `topLogprobs`. */
  reportsEnd?: true
  constraint: Constraint | null
  /** A text the answer must not contain. Only engines with known token ids honour it, and only without a constraint. */
  withoutText: string | null
  /** Texts that arrive together may be one event with `pieces`. */
  takesPieces?: true
}
