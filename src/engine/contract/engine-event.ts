/** Natural logarithms of the model's own probabilities, before bias, penalties, temperature and grammar. */
export type TokenLogprob = {
  logprob: number
  /** 0 is the most likely token. */
  rank: number
  top: { id: number; bytes: Uint8Array; logprob: number }[]
}

/** A token of a prompt. Special tokens are spelled out. `logprob` is null for the first one, which nothing precedes. */
export type PromptToken = { id: number; bytes: Uint8Array; logprob: TokenLogprob | null }

/** Token counts, available once the answer has ended normally. */
export type EngineEnd = {
  type: 'end'
  reason: 'stop' | 'length' | 'content_filter'
  /** The stop text that ended the answer, if the upstream has found one and says which. */
  stopText?: string
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Only if the engine counts them itself. */
  reasoningTokens?: number
  /** The token that ended the answer and is not part of it, if log probabilities of prompt and answer were requested. */
  endToken?: PromptToken
  /** Some counts are estimates because the upstream sent none, or impossible ones. */
  isEstimated?: boolean
}

/**
 * The upstream has accepted the prompt. A low estimate, unless it was counted with the model's tokenizer. Most upstreams report
 * their own count at the end; if one reports it earlier, this event is repeated.
 */
type EngineAccepted = {
  type: 'accepted'
  promptTokens: number
  /** They are no estimate: counted with the model's tokenizer, or reported before the end. */
  isCounted?: true
}

/**
 * An item of a response of an upstream, if the conversation is `native` for its Responses API. Texts follow as other events, so that all
 * limits apply to them; the JSON of an item has everything else. Items are numbered as the upstream does.
 */
export type ItemStep =
  | { step: 'added'; index: number; json: string }
  | { step: 'done'; index: number; json: string }
  /** The text that follows belongs to this part of the item. */
  | { step: 'part'; index: number; part: ItemPart; partIndex: number }

export type ItemPart = 'output_text' | 'refusal' | 'summary_text' | 'reasoning_text' | 'arguments'

/**
 * The pieces of a text that arrived together, at least two, none of them empty. Each counts as a token and is passed on as a part of
 * its own; up to there they are handled as one text. Only with `Sampling.takesPieces`.
 */
export type TextPieces = readonly string[]

/** A part of an answer that the engine has parsed. `tokens`: how many it counts for until the end; 1 if absent. */
export type ParsedEvent =
  /** Complete characters. Text may contain reasoning in `<think>` tags, and may continue after a stop string. */
  (
    | { type: 'text'; text: string; pieces?: TextPieces }
    /**
     * `signature`: with which the provider of the model recognises its reasoning, if the conversation is `native`. `isRedacted`: the
     * reasoning has no text, and the signature is all of it.
     */
    | { type: 'reasoning'; text: string; signature?: string; isRedacted?: true }
    | { type: 'refusal'; text: string }
    /** Calls are numbered from 0, and begin in this order. */
    | { type: 'call'; index: number; id: string; name: string }
    | { type: 'arguments'; index: number; text: string }
    /** It has no tokens of its own. */
    | { type: 'item'; item: ItemStep }
  ) & { tokens?: number }

export type EngineEvent =
  | EngineAccepted
  /** The next tokens of the prompt, before the answer begins. Only with `promptLogprobs`. */
  | { type: 'prompt'; tokens: readonly PromptToken[] }
  | ParsedEvent
  /** `id` is null if the engine does not report it. A token may contain part of a character. */
  | { type: 'token'; id: number | null; bytes: Uint8Array; logprob?: TokenLogprob }
  | EngineEnd
