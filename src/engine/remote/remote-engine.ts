import { ApiError } from '../../base/errors.ts'
import type { ChatMessage, Engine, EngineEnd, EngineEvent, EngineState, Sampling, ServedModel } from '../contract.ts'
import { readChunks, type UpstreamChunk } from './read-chunks.ts'
import { refusal } from './refusal.ts'

/**
 * An OpenAI-style server (vLLM, SGLang, llama-server, another Helix) as an engine. It renders, counts and samples by
 * itself; what a request leaves out is left out upstream too.
 */
type RemoteEngineOptions = {
  /** Ends in `/v1`. */
  baseUrl: string
  key: string | null
  upstreamModel: string
  /** The name it is served under. */
  name: string
  contextTokens: number | null
  slots: number
  /** Unix seconds. */
  created: number
}

export const createRemoteEngine = (options: RemoteEngineOptions): Engine => {
  let state: EngineState = 'ready'
  const model: ServedModel = {
    id: options.name,
    created: options.created,
    ownedBy: 'upstream',
    contextTokens: options.contextTokens,
    vocabularyTokens: null,
    // Text in, text out, and the settings that every such server takes.
    features: new Set(),
  }
  return {
    model,
    slots: options.slots,
    state: () => state,
    async prepare({ messages }, signal) {
      signal.throwIfAborted()
      return {
        promptTokens: null,
        promptTokenIds: null,
        generate: (sampling, generateSignal) => generate(options, messages, sampling, generateSignal),
      }
    },
    async close() {
      state = 'stopped'
    },
  }
}

async function* generate(
  options: RemoteEngineOptions,
  messages: readonly ChatMessage[],
  sampling: Sampling,
  outer: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const left = new AbortController()
  const signal = AbortSignal.any([outer, left.signal])
  try {
    const response = await ask(options, messages, sampling, signal)
    const end: EngineEnd = { type: 'end', reason: 'stop', promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
    let finished = false
    for await (const chunk of readChunks(response)) {
      const text = chunk.choices?.[0]?.delta?.content
      if (typeof text === 'string' && text !== '') {
        end.completionTokens += 1
        yield { type: 'token', id: null, bytes: Buffer.from(text) }
      }
      // The counts come after the finish, in a chunk of their own.
      if (takeFinish(chunk, end)) finished = true
    }
    if (!finished) throw ApiError.of('upstream_failed', {}, { cause: 'the stream ended without a finish_reason' })
    yield end
  } catch (error) {
    outer.throwIfAborted()
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    left.abort()
  }
}

/** The upstream's own counts win over ours, which take a piece for a token. */
const takeFinish = ({ choices, usage }: UpstreamChunk, end: EngineEnd): boolean => {
  if (usage) {
    end.promptTokens = countOr(usage.prompt_tokens, end.promptTokens)
    end.completionTokens = countOr(usage.completion_tokens, end.completionTokens)
    end.cachedTokens = countOr(usage.prompt_tokens_details?.cached_tokens, 0)
  }
  const reason = choices?.[0]?.finish_reason
  if (reason === 'length') end.reason = 'length'
  return typeof reason === 'string'
}

/** Anything else could never be settled: the ledger takes whole numbers. */
const countOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : otherwise

const ask = async (
  { baseUrl, key, upstreamModel }: RemoteEngineOptions,
  messages: readonly ChatMessage[],
  sampling: Sampling,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model: upstreamModel,
      messages: messages.map(({ role, content, name }) => ({ role, content, name })),
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: sampling.maxTokens ?? undefined,
      temperature: sampling.temperature ?? undefined,
      top_p: sampling.topP ?? undefined,
      top_k: sampling.topK ?? undefined,
      min_p: sampling.minP ?? undefined,
      repetition_penalty: sampling.repetitionPenalty ?? undefined,
      frequency_penalty: sampling.frequencyPenalty || undefined,
      presence_penalty: sampling.presencePenalty || undefined,
      seed: sampling.seed ?? undefined,
      stop: sampling.stops.length === 0 ? undefined : sampling.stops,
    }),
  })
  if (!response.ok) throw await refusal(response)
  return response
}
