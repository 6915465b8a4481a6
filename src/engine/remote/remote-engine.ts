import { ApiError } from '../../base/api-error.ts'
import type { Log } from '../../base/log.ts'
import type { ChatMessage, Engine, EngineEnd, EngineEvent, EngineState, Sampling, ServedModel } from '../contract.ts'
import { readChunks, type UpstreamChunk } from './read-chunks.ts'
import { refusal } from './refusal.ts'
import { createUpstreamCounts } from './upstream-counts.ts'

/**
 * An OpenAI-compatible server (vLLM, SGLang, llama-server, another Helix) as an engine. It renders, counts and samples
 * itself; options missing from a request are not sent upstream.
 */
type RemoteEngineOptions = {
  /** Ends in `/v1`. */
  baseUrl: string
  key: string | null
  upstreamModel: string
  /** The public model name. */
  name: string
  contextTokens: number | null
  slots: number
  /** Unix seconds. */
  created: number
  log: Log
}

export const openRemoteEngine = (options: RemoteEngineOptions): Engine => {
  let state: EngineState = 'ready'
  const model: ServedModel = {
    id: options.name,
    created: options.created,
    ownedBy: 'upstream',
    contextTokens: options.contextTokens,
    vocabularyTokens: null,
    // Only text, and the settings that every such server accepts.
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
    const counted = createUpstreamCounts({ messages, limit: sampling.maxTokens, log: options.log })
    yield { type: 'accepted', promptTokens: counted.estimatedPromptTokens }
    let reason: EngineEnd['reason'] | null = null
    for await (const chunk of readChunks(response)) {
      const text = chunk.choices?.[0]?.delta?.content
      if (typeof text === 'string' && text !== '') {
        counted.addPiece()
        yield { type: 'token', id: null, bytes: Buffer.from(text) }
      }
      // The counts follow the finish reason, in a separate chunk.
      counted.read(chunk.usage)
      reason = reasonOf(chunk) ?? reason
    }
    if (reason === null) throw ApiError.of('upstream_failed', {}, { cause: 'the stream ended without a finish_reason' })
    yield { type: 'end', reason, ...counted.counts() }
  } catch (error) {
    outer.throwIfAborted()
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    left.abort()
  }
}

const reasonOf = ({ choices }: UpstreamChunk): EngineEnd['reason'] | null => {
  const reason = choices?.[0]?.finish_reason
  if (typeof reason !== 'string') return null
  return reason === 'length' ? 'length' : 'stop'
}

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
