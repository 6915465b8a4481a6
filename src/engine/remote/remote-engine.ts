import { type Clock, systemClock } from '../../base/clock.ts'
import { createRedactor, type Redact } from '../../base/create-redactor.ts'
import type { Log } from '../../base/log.ts'
import type { UpstreamCapability, UpstreamKind } from '../../config/upstream-names.ts'
import type {
  Engine,
  EngineCaller,
  EngineFeature,
  EngineState,
  ModelInputs,
  ModelKind,
  ServedModel,
} from '../contract.ts'
import { defaultImageTokens } from '../media-tokens.ts'
import type { InputAnswerReader } from './inputs/input-answer-reader.ts'
import { prepareRemoteInputs } from './inputs/prepare-remote-inputs.ts'
import { createVectorEncoding } from './inputs/vector-encoding.ts'
import { readAnswer } from './read-answer.ts'
import { createChatByResponses, responsesFields } from './responses/chat-by-responses.ts'
import type { TokenCounter } from './tokenizer/token-counters.ts'
import { openUpstreamClient } from './upstream-client.ts'
import { upstreamDialects, upstreamFeatures } from './upstream-kinds.ts'
import type { UpstreamTls } from './upstream-tls.ts'

/**
 * An OpenAI-compatible server (vLLM, SGLang, llama-server, another Helix) as an engine. It renders, counts, constrains,
 * samples and parses itself; options missing from a request are not sent upstream.
 */
type RemoteEngineOptions = {
  /** Ends in `/v1`. */
  baseUrl: string
  key: string | null
  /** Null: connects as to any web server. */
  tls?: UpstreamTls | null
  upstreamModel: string
  /** The name of the upstream for operators. */
  upstream?: string
  /** The public model name. */
  name: string
  contextTokens: number | null
  slots: number
  /** Unix seconds. */
  created: number
  /** By default what most servers have in common. */
  kind?: UpstreamKind
  /** Only for Azure's older addresses, which name the deployment. */
  apiVersion?: string | null
  /** The optional request fields that it accepts, instead of those of its kind; empty: those of its kind. */
  fields?: readonly string[]
  /** What messages may contain besides text. */
  capabilities?: readonly UpstreamCapability[]
  /** The tools that it may run itself, if it has the Responses API. */
  builtInTools?: readonly string[]
  /** The maximum number of prompt tokens that is reserved for an image. */
  imageTokens?: number
  /** By default it generates text. */
  modelKind?: ModelKind
  /** How many numbers a vector of an embedding model has, if that is known. */
  vectorLength?: number | null
  /** Which weights it runs; only engine nodes say so. */
  weightsId?: string
  /** Counts with the tokenizer of the model, if that is known. */
  counter?: TokenCounter
  /** Of a model that embeds or scores. */
  inputAnswers?: Pick<InputAnswerReader, 'read'>
  silenceLimitMs?: number
  /** By default the same as the limit for other pauses. */
  headLimitMs?: number
  connectLimitMs?: number
  clock?: Clock
  /** Removes what nobody may see from what it says about a request; by default its key. */
  redact?: Redact
  /** Removes every secret from parts of an answer; by default its key. */
  hideSecrets?: Redact
  log: Log
}

const defaultSilenceLimitMs = 300_000
const defaultConnectLimitMs = 10_000

export const openRemoteEngine = (options: RemoteEngineOptions): Engine => {
  const { baseUrl, key, tls = null, log, silenceLimitMs = defaultSilenceLimitMs } = options
  const { kind = 'compatible', apiVersion = null } = options
  const dialect = upstreamDialects[kind]
  const { fields: named = [], capabilities = [], imageTokens = defaultImageTokens } = options
  const { headLimitMs = silenceLimitMs, connectLimitMs = defaultConnectLimitMs, clock = systemClock } = options
  const client = openUpstreamClient({
    ...{ baseUrl, key, kind, apiVersion, model: options.upstreamModel, tls, clock },
    ...{ silenceLimitMs, headLimitMs, connectLimitMs, upstream: options.upstream },
  })
  const { modelKind = 'chat', vectorLength = null, weightsId } = options
  // Azure has it at its newer addresses only.
  const mayHaveResponses = dialect.wire === 'chat' && apiVersion === null
  const isChatByResponses = mayHaveResponses && capabilities.includes('responses_for_chat')
  const hasResponses = isChatByResponses || (mayHaveResponses && capabilities.includes('responses'))
  const own = new Set<string>(named.length === 0 ? dialect.fields : named)
  const fields = isChatByResponses ? own.intersection(new Set<string>(responsesFields)) : own
  // Messages and responses have no audio.
  const hasAudio = dialect.wire === 'chat' && !isChatByResponses
  const accepted = hasAudio ? capabilities : capabilities.filter((one) => one !== 'audio')
  let state: EngineState = 'ready'
  const model: ServedModel = {
    id: options.name,
    created: options.created,
    ownedBy: 'upstream',
    contextTokens: options.contextTokens,
    vocabularyTokens: null,
    features: inputFeatures[modelKind] ?? upstreamFeatures(fields, accepted),
    ...(vectorLength === null ? {} : { vectorLength }),
    ...(weightsId === undefined ? {} : { weightsId }),
    ...(modelKind === 'rerank' && !dialect.pairs.areRaw ? { scoresAreActivated: true } : {}),
    parsesAnswers: true,
    ...(dialect.wire === 'messages' ? { leavesOutTopP: true } : {}),
    acceptedFields: fields,
    ...(isChatByResponses ? { rawPromptFields: own } : {}),
    acceptsImageUrls: capabilities.includes('image_urls'),
    imageTokens,
    upstreamNames: [options.upstreamModel],
    ...(hasResponses && modelKind === 'chat' ? { builtInTools: new Set(options.builtInTools) } : {}),
  }
  const hideKey = createRedactor(key === null ? [] : [key])
  const { counter = null, redact = hideKey, hideSecrets = hideKey } = options
  const upstream = {
    ...{ client, key, name: options.name, model: options.upstreamModel, dialect, fields, counter },
    ...{ redact, hideSecrets, log },
    rawPromptFields: own,
    isNode: tls !== null,
    builtInTools: model.builtInTools ?? null,
    chatByResponses: createChatByResponses(isChatByResponses),
  }
  const inputs =
    modelKind === 'chat' || options.inputAnswers === undefined
      ? null
      : {
          ...{ ...upstream, contextTokens: options.contextTokens, answers: options.inputAnswers },
          askEncoded: createVectorEncoding(),
        }
  return {
    model,
    slots: options.slots,
    state: () => state,
    async prepare(conversation, signal) {
      signal.throwIfAborted()
      const countedTokens = counter === null ? null : await counter.prompt(conversation, signal)
      return {
        promptTokens: null,
        ...(countedTokens === null ? {} : { countedTokens }),
        promptTokenIds: null,
        generate: (sampling, generateSignal) =>
          readAnswer(upstream, conversation, sampling, countedTokens, generateSignal),
      }
    },
    ...(inputs === null
      ? {}
      : {
          async prepareInputs(asked: ModelInputs, signal: AbortSignal, caller: EngineCaller) {
            signal.throwIfAborted()
            return prepareRemoteInputs(inputs, asked, caller)
          },
        }),
    async close() {
      state = 'stopped'
      client.close()
    },
  }
}

/** Null of a model that generates text. */
const inputFeatures: Record<ModelKind, ReadonlySet<EngineFeature> | null> = {
  chat: null,
  embedding: new Set(['embeddings']),
  rerank: new Set(['rerank']),
}
