/**
 * What an engine is to the rest of the program. The API never knows which one answers: the embedded model, an upstream
 * server, or a script in a test. An engine speaks in tokens and their bytes; text, stop strings and deltas are the API's.
 */
export type ChatRole = 'system' | 'user' | 'assistant' | 'tool'
export type ChatMessage = { role: ChatRole; content: string; name?: string }

export type ServedModel = {
  id: string
  /** Unix seconds. */
  created: number
  ownedBy: string
  /** Prompt and answer together; null where only the upstream knows. */
  contextTokens: number | null
}

/** What a request asks for; null where it leaves the choice to the model's own settings. */
export type Sampling = {
  /** The most tokens the answer may have, at least 1; null: as many as fit. */
  maxTokens: number | null
  temperature: number | null
  topP: number | null
  /** 32 bits. The same seed with the same request gives the same answer, as far as the engine can promise it. */
  seed: number | null
  /** Texts that end the answer. An engine may end by itself before one; the API cuts it off in any case. */
  stops: readonly string[]
}

/** Exact counts, once the answer has ended by itself. */
export type EngineEnd = {
  type: 'end'
  reason: 'stop' | 'length'
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

export type EngineEvent =
  /** `id` is null where the engine does not tell it. A token may hold half a character. */
  { type: 'token'; id: number | null; bytes: Uint8Array } | EngineEnd

/** A prompt that was rendered and counted, and can be answered any number of times. */
export interface PreparedPrompt {
  /** Null where only the upstream can count. */
  readonly promptTokens: number | null
  /**
   * Ends with an `end` event, or throws an `ApiError`. Leaving the loop or aborting the signal frees the engine at once;
   * an aborted signal makes the loop throw the signal's reason.
   */
  generate(sampling: Sampling, signal: AbortSignal): AsyncIterable<EngineEvent>
}

export type EngineState = 'loading' | 'ready' | 'stopped'

export interface Engine {
  readonly model: ServedModel
  /** How many answers it can work on at once. */
  readonly slots: number
  state(): EngineState
  /** Renders the chat template and counts. Throws an `ApiError`, `engine_loading` among them. */
  prepare(messages: readonly ChatMessage[], signal: AbortSignal): Promise<PreparedPrompt>
  close(): Promise<void>
}
