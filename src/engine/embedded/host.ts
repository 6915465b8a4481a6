/**
 * The engine process from the inside: prompts in, tokens out, several conversations at once. It holds the model and no
 * other state worth keeping, so that it may be killed at any time.
 */

import type { Conversation } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import type { FullSampling } from '../sampling.ts'
import { verifyWeights } from '../verify-weights.ts'
import { answer } from './answer.ts'
import { embeddedFeatures } from './embedded-features.ts'
import { renderGuarded } from './guarded-rendering.ts'
import { type Llama, type LogLine, openLlama, type Sequence } from './llama.ts'
import { barText } from './picking/bar-text.ts'
import { createHold } from './picking/hold.ts'
import { promptTokens } from './prompt-tokens.ts'
import type { Failure, LoadSettings, OpenedModel, RequestMessage } from './protocol.ts'
import { createSlotPool, type SlotPool } from './slot-pool.ts'
import type { StepProgress } from './step-progress.ts'
import { type ChatTemplate, createChatTemplate, TemplateRefused } from './template.ts'
import { createTextFinder, type TextMatch } from './text-finder.ts'
import { createTokenBytes } from './token-bytes.ts'

type Send = (message: RequestMessage) => void

export class Host {
  readonly opened: OpenedModel
  readonly #llama: Llama
  readonly #render: ChatTemplate
  readonly #findSpecial: (text: string) => TextMatch[]
  readonly #tokenBytes: (id: number) => Uint8Array
  readonly #endsGeneration: (id: number) => boolean
  readonly #slots: SlotPool<Sequence>
  readonly #running = new Map<number, AbortController>()
  readonly #send: Send

  private constructor(llama: Llama, settings: LoadSettings, send: Send) {
    const { vocabulary, chatTemplate } = llama
    if (chatTemplate === null)
      throw new ModelRefused(`${settings.weightsPath} does not contain a chat template: choose a chat model.`)
    this.opened = {
      contextTokens: llama.contextTokens,
      vocabularyTokens: llama.vocabularyTokens,
      features: embeddedFeatures(chatTemplate),
    }
    this.#llama = llama
    this.#render = createChatTemplate(chatTemplate, {
      bosToken: vocabulary.bos?.text ?? '',
      eosToken: vocabulary.eosText ?? '',
    })
    this.#findSpecial = createTextFinder(vocabulary.special.values())
    this.#tokenBytes = createTokenBytes(vocabulary)
    this.#endsGeneration = endTest(llama, settings)
    this.#slots = createSlotPool(llama.sequences)
    this.#send = send
  }

  /** Loads the weights and checks them meanwhile; it answers only once both are done. */
  static async open(settings: LoadSettings, send: Send, log: LogLine): Promise<Host> {
    const verified = verifyWeights(settings.files)
    const opened = openLlama(settings, log)
    // A damaged file can also stop the loading: its own message is the better one.
    const [verdict, loaded] = await Promise.allSettled([verified, opened])
    if (verdict.status === 'rejected') throw verdict.reason
    if (loaded.status === 'rejected')
      throw new ModelRefused(`${settings.weightsPath} cannot be loaded: ${oneLine(loaded.reason)}`)
    return new Host(loaded.value, settings, send)
  }

  prepare(id: number, conversation: Conversation): void {
    try {
      const { vocabulary, contextTokens } = this.#llama
      const pieces = renderGuarded(this.#render, conversation, this.#findSpecial)
      const { tokens, complete } = promptTokens(pieces, vocabulary, contextTokens)
      if (tokens.length === 0) throw new TemplateRefused('the rendered prompt is empty')
      if (complete && tokens.length < contextTokens)
        this.#send({ type: 'prepared', id, tokens: Uint32Array.from(tokens) })
      else this.#send({ type: 'too_long', id, counted: tokens.length, complete })
    } catch (error) {
      this.#send({ type: 'failed', id, failure: asFailure(error) })
    }
  }

  async generate(id: number, tokens: Uint32Array, sampling: FullSampling): Promise<void> {
    const abort = new AbortController()
    this.#running.set(id, abort)
    try {
      const sequence = await this.#slots.take(abort.signal)
      try {
        await this.#generateOn(sequence, id, Array.from(tokens), sampling, abort.signal)
      } finally {
        this.#slots.give(sequence)
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#send({ type: 'failed', id, failure: asFailure(error) })
    } finally {
      this.#running.delete(id)
    }
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort()
  }

  progress(): StepProgress {
    return this.#llama.progress()
  }

  close(): Promise<void> {
    return this.#llama.close()
  }

  async #generateOn(sequence: Sequence, id: number, prompt: number[], wished: FullSampling, signal: AbortSignal) {
    const [tokenBytes, endsGeneration] = [this.#tokenBytes, this.#endsGeneration]
    const { contextTokens } = this.#llama
    const sampling = barText(wished, this.#llama.vocabulary)
    const hold = createHold(sampling, tokenBytes)
    let completionTokens = 0
    const steps = answer({ sequence, prompt, sampling, hold, contextTokens, tokenBytes, endsGeneration, signal })
    for await (const step of steps) {
      if (step.type === 'end') {
        this.#send({ type: 'end', id, reason: step.reason, cachedTokens: 0, completionTokens })
        return
      }
      completionTokens += 1
      const { id: token, logprob } = step
      this.#send({ type: 'token', id, token, bytes: tokenBytes(token), ...(logprob ? { logprob } : {}) })
    }
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
  return (id) => further.has(id) || vocabulary.endsGeneration(id)
}

const asFailure = (error: unknown): Failure =>
  error instanceof TemplateRefused
    ? { kind: 'template_refused', reason: oneLine(error) }
    : { kind: 'engine_failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim().slice(0, 500)
