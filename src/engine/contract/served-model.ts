/** Optional engine capabilities. A request that needs a missing one is refused with an error that names it. */
export type EngineFeature =
  /** Accepts tools in the prompt and emits calls in `<tool_call>` tags. */
  | 'tools'
  /** Answers may begin with `<think>…</think>`. */
  | 'reasoning'
  /** Answers can be constrained by a grammar. */
  | 'grammar'
  | 'logprobs'
  /** Token ids are known, so bias, stop ids, a minimum length and ids in the answer work. */
  | 'token_ids'
  /** The chat template accepts variables, and an answer can continue the last message. */
  | 'template'
  /** Turns texts into vectors, and generates no text. */
  | 'embeddings'
  /** Scores pairs of a query and a document, and generates no text. */
  | 'rerank'
  /** Messages may have images. */
  | 'vision'
  /** Messages may have audio. */
  | 'audio'

/** `chat`: generates text. `embedding`: turns texts into vectors. `rerank`: scores pairs of a query and a document. */
export type ModelKind = 'chat' | 'embedding' | 'rerank'

/** What an embedding model was trained to find in front of each text. */
export type TextPrefixes = { query: string; passage: string }

export type ServedModel = {
  id: string
  /** Unix seconds. */
  created: number
  ownedBy: string
  /**
   * Identifies the weights, whatever the model is called (`identifyWeights`): what was made by some weights must not pass for what
   * others say. Absent if only an upstream knows them.
   */
  weightsId?: string
  /** Prompt and answer together; null where only the upstream knows. */
  contextTokens: number | null
  /** Exclusive upper bound of token ids; null if only the upstream knows it, or before the weights are loaded. */
  vocabularyTokens: number | null
  /**
   * The most words that one of its tokens has, as `countWords` counts them. Known once the weights are loaded, and only if its
   * template shows the model all that system and user say and what tools are for.
   */
  maxTokenWords?: number
  /** Null before the weights are loaded, because the capabilities are not known until then. */
  features: ReadonlySet<EngineFeature> | null
  /** How many numbers a vector has; only known of embedding models that are loaded. */
  vectorLength?: number
  /** Only of embedding models that have them. */
  prefixes?: TextPrefixes
  /** It runs here, so that inputs can be cut to a number of tokens. */
  cutsInputs?: true
  /**
   * The engine constrains and parses its answers itself: it gets `Conversation.answer` instead of a grammar, and yields
   * text, reasoning and calls instead of tokens.
   */
  parsesAnswers?: true
  /** Of a temperature and `top_p`, the model gets the temperature alone. */
  leavesOutTopP?: boolean
  /** What it is sampled with if a request says nothing; absent if only the upstream knows. */
  sampling?: { temperature: number; topP: number }
  /** The optional request fields that it accepts, if that is known more precisely than by its features. */
  acceptedFields?: ReadonlySet<string>
  /** The same of raw prompts, if these are sent to another API than chats. */
  rawPromptFields?: ReadonlySet<string>
  /** Only of a reranker: its scores are numbers between 0 and 1 already. */
  scoresAreActivated?: true
  /** It has the Responses API itself. These are the tools that it runs, and that the operator allows. */
  builtInTools?: ReadonlySet<string>
  /** Images may be addresses, which the upstream reads. */
  acceptsImageUrls?: boolean
  /** The maximum number of prompt tokens that is reserved for an image. */
  imageTokens?: number
  /** What its upstreams call it, in order. */
  upstreamNames?: readonly string[]
  /**
   * The model as each of several upstreams serves it, if they accept different requests: a request needs one that accepts all
   * of it. `features` and the fields then have what at least one accepts.
   */
  alternatives?: readonly ServedModel[]
}
