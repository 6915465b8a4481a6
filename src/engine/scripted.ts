/** An engine that returns what a test scripts, to test the rest of the program without a model. */
import { ApiError } from '../base/api-error.ts'
import type { PauseSwitch } from '../base/pause-switch.ts'
import type {
  ChatMessage,
  Conversation,
  Engine,
  EngineEvent,
  EngineState,
  PromptToken,
  Sampling,
  ServedModel,
  TokenLogprob,
} from './contract.ts'

/** A text or byte array is one token. A pause delays the answer until its promise settles. */
type ScriptStep =
  | string
  | Uint8Array
  | { token: string | Uint8Array; logprob: TokenLogprob }
  | { pause: Promise<unknown> }
  | { fail: Error }
export type Script = (
  messages: readonly ChatMessage[],
  sampling: Sampling,
  conversation: Conversation,
) => Iterable<ScriptStep> | AsyncIterable<ScriptStep>

export type ScriptedEngineOptions = { model?: Partial<ServedModel>; slots?: number; canPause?: true; answer: Script }
export type ScriptedEngine = Engine & {
  /** Answers in progress. */
  active(): number
  setState(state: EngineState): void
}

export const openScriptedEngine = ({
  model = {},
  slots = 4,
  canPause,
  answer,
}: ScriptedEngineOptions): ScriptedEngine => {
  let state: EngineState = 'ready'
  let active = 0
  const generate = async function* (
    conversation: Conversation,
    sampling: Sampling,
    signal: AbortSignal,
    pausing?: PauseSwitch,
  ): AsyncGenerator<EngineEvent, void> {
    const messages = shownMessages(conversation)
    signal.throwIfAborted()
    active += 1
    try {
      if (sampling.promptLogprobs !== null) yield { type: 'prompt', tokens: promptTokens(conversation, sampling) }
      yield* play(answer(messages, sampling, conversation), promptLength(conversation), sampling, { signal, pausing })
    } finally {
      active -= 1
    }
  }
  return {
    model: { ...scriptedModel, ...model },
    slots,
    ...(canPause ? { canPause } : {}),
    state: () => state,
    setState: (next) => {
      state = next
    },
    active: () => active,
    async prepare(conversation, signal) {
      signal.throwIfAborted()
      if (state === 'loading') throw ApiError.of('engine_loading', {}, { retryAfterMs: 1500 })
      if (state === 'stopped') throw ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
      const promptTokens = promptLength(conversation)
      return {
        promptTokens,
        // Created lazily, because it is a long list for a long prompt.
        get promptTokenIds() {
          return Array.from({ length: promptTokens }, (_, index) => index)
        },
        generate: (sampling, generateSignal, pausing) => generate(conversation, sampling, generateSignal, pausing),
      }
    },
    tokenizer: { bosText: null, eosText: '</s>', prependsBos: false, chatTemplate: '{{ messages }}' },
    async detokenise(ids, _scope, signal) {
      signal.throwIfAborted()
      const spellings = ids.map((id) => `<${id}>`)
      return { text: spellings.join(''), spellings }
    },
    async close() {
      state = 'stopped'
    },
  }
}

const scriptedModel: ServedModel = {
  id: 'scripted',
  created: 1_700_000_000,
  ownedBy: 'test',
  contextTokens: 4096,
  vocabularyTokens: 1000,
  features: new Set(['tools', 'grammar', 'logprobs', 'token_ids', 'template']),
}

/** A script is shown a raw prompt as the message of a user. */
const shownMessages = ({ messages, rawPrompt }: Conversation): readonly ChatMessage[] =>
  rawPrompt === undefined ? messages : [{ role: 'user', content: typeof rawPrompt === 'string' ? rawPrompt : '' }]

/** Not a tokeniser: a count that is easy to work out by hand in a test. */
const countTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + 1 + Math.ceil(Buffer.byteLength(content) / 4), 0)

/** Only the last tokens count if the prompt is truncated. */
const promptLength = (conversation: Conversation): number =>
  Math.min(countTokens(shownMessages(conversation)), conversation.maxPromptTokens ?? Number.POSITIVE_INFINITY)

/** Four bytes each after a first one without text, or the ids of a raw prompt. */
const promptTokens = (conversation: Conversation, { promptLogprobs }: Sampling): PromptToken[] => {
  const { rawPrompt } = conversation
  const text = Buffer.from(
    shownMessages(conversation)
      .map(({ content }) => content)
      .join(''),
  )
  const pieces = Array.from({ length: Math.ceil(text.length / 4) }, (_, index) =>
    text.subarray(index * 4, index * 4 + 4),
  )
  const tokens =
    typeof rawPrompt === 'object'
      ? rawPrompt.map((id) => ({ id, bytes: Buffer.from(`<${id}>`) }))
      : [Buffer.alloc(0), ...pieces].map((bytes, id) => ({ id, bytes }))
  return tokens.map(({ id, bytes }, index) => ({
    ...{ id, bytes },
    logprob: index === 0 ? null : likely(id, bytes, promptLogprobs ?? 0),
  }))
}

async function* play(
  script: ReturnType<Script>,
  promptTokens: number,
  sampling: Sampling,
  { signal, pausing }: { signal: AbortSignal; pausing: PauseSwitch | undefined },
): AsyncGenerator<EngineEvent, void> {
  let completionTokens = 0
  const end = (reason: 'stop' | 'length'): EngineEvent => ({
    type: 'end',
    reason,
    promptTokens,
    cachedTokens: 0,
    completionTokens,
  })
  const steps = Symbol.asyncIterator in script ? script[Symbol.asyncIterator]() : script[Symbol.iterator]()
  if (sampling.maxTokens === 0) return yield end('length')
  for (;;) {
    await orAborted(nextTurn(), signal)
    while (pausing?.isPaused) await orAborted(resumed(pausing), signal)
    const { done, value: step } = await orAborted(Promise.resolve(steps.next()), signal)
    if (done) break
    if (typeof step === 'string' || step instanceof Uint8Array || 'token' in step) {
      completionTokens += 1
      yield tokenEvent(completionTokens, step, sampling)
      signal.throwIfAborted()
      if (completionTokens === sampling.maxTokens) {
        yield end('length')
        return
      }
    } else if ('pause' in step) await orAborted(step.pause, signal)
    else throw step.fail
  }
  yield end('stop')
}

const tokenEvent = (
  id: number,
  step: string | Uint8Array | { token: string | Uint8Array; logprob: TokenLogprob },
  { topLogprobs }: Sampling,
): EngineEvent => {
  const scripted = typeof step === 'object' && 'token' in step
  const token = scripted ? step.token : step
  const bytes = typeof token === 'string' ? Buffer.from(token) : token
  if (topLogprobs === null) return { type: 'token', id, bytes }
  return { type: 'token', id, bytes, logprob: scripted ? step.logprob : likely(id, bytes, topLogprobs) }
}

/** The token itself is the most likely one; the others are made up, each half as likely as the one before. */
const likely = (id: number, bytes: Uint8Array, count: number): TokenLogprob => ({
  logprob: Math.log(0.5),
  rank: 0,
  top: Array.from({ length: count }, (_, index) => ({
    id: index === 0 ? id : 900 + index,
    bytes: index === 0 ? bytes : Buffer.from(`other${index}`),
    logprob: Math.log(0.5) * (index + 1),
  })),
})

/** A real engine never answers within one turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const resumed = (pausing: PauseSwitch): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = pausing.subscribe(() => {
      unsubscribe()
      resolve()
    })
  })

const orAborted = async <Value>(wait: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([wait, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
