/**
 * The main object of the engine process: prompts in, tokens out, several conversations at once. It keeps no state
 * except the model, so the process can be killed at any time.
 */
import type { CompiledGrammar } from '../../grammar/compiled-grammar.ts'
import type { Conversation } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import { createAnswer } from './answer.ts'
import { type DecodeEvent, DecodeLoop, type StepProgress } from './decoding/decode-loop.ts'
import { embeddedFeatures } from './embedded-features.ts'
import { engineFailure } from './engine-failure.ts'
import { batchTokens, type Llama, type LogLine, openLlama } from './llama/open-llama.ts'
import type { LoadSettings } from './load-settings.ts'
import { loadVerified } from './load-verified.ts'
import { oneLine } from './one-line.ts'
import { processorMs } from './processor-ms.ts'
import { openPromptPreparer, type PromptPreparer } from './prompt-preparer.ts'
import type { OpenedModel, RequestMessage, ToWorker } from './protocol.ts'
import { createAnswerConstraint } from './sampling/answer-constraint.ts'
import { excludeText } from './sampling/exclude-text.ts'
import { createMatcherCache } from './sampling/matcher-cache.ts'
import { createTokenBytes } from './token-bytes.ts'

type LoadedModel = { llama: Llama; chatTemplate: string; preparer: PromptPreparer }
export type HostOptions = {
  send: (messages: RequestMessage[]) => void
  log: LogLine
  onThreads: (threads: number) => void
}

export class Host {
  readonly opened: OpenedModel
  readonly #llama: Llama
  readonly #preparer: PromptPreparer
  /** Prompts and texts that are being prepared, by request. */
  readonly #preparing = new Map<number, AbortController>()
  readonly #tokenBytes: (id: number) => Uint8Array
  readonly #endsGeneration: (id: number) => boolean
  readonly #matchers = createMatcherCache()
  readonly #loop: DecodeLoop
  readonly #send: HostOptions['send']

  private constructor({ llama, chatTemplate, preparer }: LoadedModel, settings: LoadSettings, options: HostOptions) {
    const { send, onThreads } = options
    this.opened = {
      contextTokens: llama.contextTokens,
      vocabularyTokens: llama.vocabularyTokens,
      features: embeddedFeatures(chatTemplate),
      memory: llama.memory,
    }
    this.#llama = llama
    this.#preparer = preparer
    this.#tokenBytes = createTokenBytes(llama.vocabulary)
    this.#endsGeneration = endTest(llama, settings)
    this.#send = send
    this.#loop = new DecodeLoop({
      llama,
      speculates: settings.speculation === 'auto',
      batchTokens,
      threads: settings.threads,
      nowMs: () => performance.now(),
      cpuMs: processorMs,
      emit: (events) => send(events.flatMap((event) => this.#messagesOf(event))),
      onThreads,
    })
  }

  static async open(settings: LoadSettings, options: HostOptions): Promise<Host> {
    const preparer = openPromptPreparer()
    try {
      const llama = await loadVerified(settings, () => openLlama(settings, options.log))
      const { vocab, chatTemplate, contextTokens } = llama
      if (chatTemplate === null)
        throw new ModelRefused(`${settings.weightsPath} does not contain a chat template: choose a chat model.`)
      await preparer.check({ gpu: settings.gpu, vocab, chatTemplate, contextTokens })
      return new Host({ llama, chatTemplate, preparer }, settings, options)
    } catch (error) {
      await preparer.close()
      throw error
    }
  }

  async prepare(id: number, conversation: Conversation): Promise<void> {
    await this.#reply(id, async (signal) => preparedMessage(id, await this.#preparer.prepare(conversation, signal)))
  }

  async detokenise({ id, ids, scope }: ToWorker & { type: 'detokenise' }): Promise<void> {
    await this.#reply(id, async (signal) => {
      const outcome = await this.#preparer.detokenise(ids, scope, signal)
      return outcome.type === 'busy' ? { type: 'failed', id, failure: { kind: 'queue_full' } } : { ...outcome, id }
    })
  }

  generate({ id, tokens, scope, sampling: requested }: ToWorker & { type: 'generate' }): void {
    try {
      const { contextTokens, vocabulary } = this.#llama
      const [tokenBytes, endsGeneration] = [this.#tokenBytes, this.#endsGeneration]
      const prompt = Array.from(tokens)
      const sampling = excludeText(requested, vocabulary)
      const matcherOf = (grammar: CompiledGrammar) => this.#matchers.get(scope, grammar)
      const constraint = createAnswerConstraint(sampling, tokenBytes, matcherOf)
      const answer = createAnswer({ prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration })
      if (answer.isEmpty) this.#send([{ type: 'end', id, reason: 'stop', cachedTokens: 0, completionTokens: 0 }])
      else this.#loop.add({ id, prompt, answer, scope })
    } catch (error) {
      this.#send([{ type: 'failed', id, failure: engineFailure(error) }])
    }
  }

  /** Sends the reply of a thread, unless the request is cancelled before. */
  async #reply(id: number, prepare: (signal: AbortSignal) => Promise<RequestMessage>): Promise<void> {
    const abort = new AbortController()
    this.#preparing.set(id, abort)
    const message = await prepare(abort.signal).catch(
      (error): RequestMessage => ({ type: 'failed', id, failure: engineFailure(error) }),
    )
    this.#preparing.delete(id)
    if (!abort.signal.aborted) this.#send([message])
  }

  cancel(id: number): void {
    this.#preparing.get(id)?.abort()
    this.#loop.cancel(id)
  }

  progress(): StepProgress {
    return this.#loop.progress()
  }

  #messagesOf(event: DecodeEvent): RequestMessage[] {
    const { id } = event
    if (event.type === 'failed') return [{ type: 'failed', id, failure: engineFailure(event.error) }]
    const { step, cachedTokens, completionTokens } = event
    const messages: RequestMessage[] = []
    if (step.token) {
      const { id: token, logprob } = step.token
      messages.push({ type: 'token', id, token, bytes: this.#tokenBytes(token), ...(logprob ? { logprob } : {}) })
    }
    if (step.end !== null) messages.push({ type: 'end', id, reason: step.end, cachedTokens, completionTokens })
    return messages
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

type PrepareOutcome = Awaited<ReturnType<PromptPreparer['prepare']>>

const preparedMessage = (id: number, outcome: PrepareOutcome): RequestMessage => {
  switch (outcome.type) {
    case 'template_refused':
      return { type: 'failed', id, failure: { kind: 'template_refused', reason: oneLine(outcome.reason) } }
    case 'busy':
      return { type: 'failed', id, failure: { kind: 'queue_full' } }
    default:
      return { ...outcome, id }
  }
}
