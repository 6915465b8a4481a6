/**
 * The model and the answers that are being generated: prompts in, tokens out, several conversations at once. It runs on a
 * thread of its own, which the model's steps block.
 */
import type { CompiledGrammar } from '../../grammar/compiled-grammar.ts'
import { memoryLimitBytes } from '../memory-limit.ts'
import { ModelRefused } from '../model-refused.ts'
import { createAnswer } from './answer.ts'
import { idleCoreMs, processorMs } from './core-times.ts'
import { type DecodeEvent, DecodeLoop } from './decoding/decode-loop.ts'
import { createPromptScorer } from './decoding/prompt-scorer.ts'
import { engineFailure } from './engine-failure.ts'
import { savedLimitBytes } from './llama/memory-plan.ts'
import { type Llama, type LogLine, openLlama } from './llama/open-llama.ts'
import type { LoadSettings } from './load-settings.ts'
import { loadVerified } from './load-verified.ts'
import type { RequestMessage, ToWorker } from './protocol.ts'
import { createAnswerConstraint } from './sampling/answer-constraint.ts'
import { excludeText } from './sampling/exclude-text.ts'
import { createMatcherCache } from './sampling/matcher-cache.ts'
import type { StepProgress } from './step-progress.ts'
import { createTokenBytes } from './token-bytes.ts'
import { waitedMs } from './waited-ms.ts'

export type GeneratorOptions = {
  send: (messages: RequestMessage[]) => void
  log: LogLine
  onThreads: (threads: number) => void
  onProgress: (progress: StepProgress) => void
}

/** As long as a display shows two pictures: text still appears fluently, in groups of up to three tokens at 100 per second. */
const framesMs = 33

export class Generator {
  readonly llama: Llama
  readonly #tokenBytes: (id: number) => Uint8Array
  readonly #endsGeneration: (id: number) => boolean
  readonly #matchers = createMatcherCache()
  readonly #loop: DecodeLoop
  readonly #send: GeneratorOptions['send']

  private constructor(llama: Llama, settings: LoadSettings, { send, onThreads, onProgress }: GeneratorOptions) {
    this.llama = llama
    this.#tokenBytes = createTokenBytes(llama.vocabulary)
    this.#endsGeneration = endTest(llama, settings)
    this.#send = send
    this.#loop = new DecodeLoop({
      llama,
      speculates: settings.speculation === 'auto',
      batchTokens: llama.batchTokens,
      isOnGpu: llama.isOnGpu,
      savedLimitBytes: savedLimitBytes(llama.memory, memoryLimitBytes()),
      threads: llama.threads,
      nowMs: () => performance.now(),
      cpuMs: processorMs,
      idleCoreMs,
      waitedMs,
      emitIntervalMs: framesMs,
      emit: (events) => send(events.flatMap((event) => this.#toMessages(event))),
      onThreads,
      onProgress,
    })
  }

  static async open(settings: LoadSettings, options: GeneratorOptions): Promise<Generator> {
    const llama = await loadVerified(settings, () => openLlama(settings, options.log))
    return new Generator(llama, settings, options)
  }

  generate({ id, tokens, scope, sampling: requested }: ToWorker & { type: 'generate' }): void {
    try {
      const { contextTokens, vocabulary } = this.llama
      const [tokenBytes, endsGeneration] = [this.#tokenBytes, this.#endsGeneration]
      const prompt = Array.from(tokens)
      const sampling = excludeText(requested, vocabulary)
      const matcherOf = (grammar: CompiledGrammar) => this.#matchers.get(scope, grammar)
      const constraint = createAnswerConstraint(sampling, tokenBytes, matcherOf)
      const answer = createAnswer({ prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration })
      const { promptLogprobs: top } = sampling
      const spelling = (token: number) => this.#spelling(token)
      const scorer = top === null ? undefined : createPromptScorer(prompt, { top, spelling })
      if (answer.isEmpty && scorer === undefined)
        this.#send([{ type: 'end', id, reason: 'stop', cachedTokens: 0, completionTokens: 0 }])
      else this.#loop.add({ id, prompt, answer, scope, ...(scorer === undefined ? {} : { scorer }) })
    } catch (error) {
      this.#send([{ type: 'failed', id, failure: engineFailure(error) }])
    }
  }

  cancel(id: number): void {
    this.#loop.cancel(id)
  }

  pause(id: number): void {
    this.#loop.pause(id)
  }

  resume(id: number): void {
    this.#loop.resume(id)
  }

  #toMessages(event: DecodeEvent): RequestMessage[] {
    const { id } = event
    if (event.type === 'failed') return [{ type: 'failed', id, failure: engineFailure(event.error) }]
    if (event.type === 'prompt') return [{ type: 'prompt', id, tokens: event.tokens }]
    const { step, cachedTokens, completionTokens } = event
    const messages: RequestMessage[] = []
    if (step.token) {
      const { id: token, logprob } = step.token
      messages.push({ type: 'token', id, token, bytes: this.#tokenBytes(token), ...(logprob ? { logprob } : {}) })
    }
    if (step.end === null) return messages
    const { endToken } = step
    messages.push({
      ...{ type: 'end', id, reason: step.end, cachedTokens, completionTokens },
      ...(endToken === undefined ? {} : { endToken: { ...endToken, bytes: this.#spelling(endToken.id) } }),
    })
    return messages
  }

  /** The bytes of a token; a special one is spelled out. */
  #spelling(token: number): Uint8Array {
    const special = this.llama.vocabulary.special.get(token)
    return special === undefined ? this.#tokenBytes(token) : new TextEncoder().encode(special)
  }
}

const endTest = ({ vocabulary }: Llama, { endTokens }: LoadSettings): ((id: number) => boolean) => {
  const further = new Set(endTokens.ids)
  for (const text of endTokens.texts) {
    const [id, ...rest] = vocabulary.tokenise(text, { special: true, continued: true })
    if (id === undefined || rest.length > 0)
      throw new ModelRefused(`generation_config.json: eos_token ${JSON.stringify(text)} is not a token of the model.`)
    further.add(id)
  }
  const ends = new Set([...further, ...[...vocabulary.special.keys()].filter(vocabulary.endsGeneration)])
  return (id) => ends.has(id)
}
