/**
 * The main object of the engine process: prompts in, tokens out, several conversations at once. Prompts are prepared and
 * answers generated on other threads, so it replies at any time. It keeps no state except the model, so the process can
 * be killed at any time.
 */
import type { Conversation } from '../contract.ts'
import { ModelRefused } from '../model-refused.ts'
import { embeddedFeatures } from './embedded-features.ts'
import { engineFailure } from './engine-failure.ts'
import type { LoadSettings } from './load-settings.ts'
import { oneLine } from './one-line.ts'
import { type GeneratorThread, type GeneratorThreadOptions, openGeneratorThread } from './open-generator-thread.ts'
import { openPromptPreparer, type PromptPreparer } from './prompt-preparer.ts'
import type { OpenedModel, RequestMessage, ToWorker } from './protocol.ts'
import type { StepProgress } from './step-progress.ts'

export type HostOptions = GeneratorThreadOptions

export class Host {
  readonly opened: OpenedModel
  readonly #generator: GeneratorThread
  readonly #preparer: PromptPreparer
  /** Prompts and texts that are being prepared, by request. */
  readonly #preparing = new Map<number, AbortController>()
  readonly #send: HostOptions['send']

  private constructor(opened: OpenedModel, generator: GeneratorThread, preparer: PromptPreparer, options: HostOptions) {
    this.opened = opened
    this.#generator = generator
    this.#preparer = preparer
    this.#send = options.send
  }

  static async open(settings: LoadSettings, options: HostOptions): Promise<Host> {
    const preparer = openPromptPreparer()
    try {
      const generator = await openGeneratorThread(settings, options)
      const { vocab, chatTemplate, contextTokens, vocabularyTokens, frame, memory, gpu, gpuFault } = generator.model
      if (chatTemplate === null)
        throw new ModelRefused(`${settings.weightsPath} does not contain a chat template: choose a chat model.`)
      const { gpu: wanted, ownBuild = null, packages = null } = settings
      const source = { gpu: wanted, ownBuild, packages }
      const tokens = await preparer.check({ source, vocab, chatTemplate, contextTokens })
      const features = embeddedFeatures(chatTemplate)
      const tokenizer = { ...frame, chatTemplate }
      const opened = { contextTokens, vocabularyTokens, ...tokens, features, tokenizer, memory, gpu, gpuFault }
      return new Host(opened, generator, preparer, options)
    } catch (error) {
      await preparer.close()
      throw error
    }
  }

  async prepare(id: number, conversation: Conversation): Promise<void> {
    await this.#reply(id, async (signal) => preparedMessage(id, await this.#preparer.prepare(conversation, signal)))
  }

  async detokenise({ id, ids, ownerId }: ToWorker & { type: 'detokenise' }): Promise<void> {
    await this.#reply(id, async (signal) => {
      const outcome = await this.#preparer.detokenise(ids, ownerId, signal)
      return outcome.type === 'busy' ? { type: 'failed', id, failure: { kind: 'queue_full' } } : { ...outcome, id }
    })
  }

  generate(message: ToWorker & { type: 'generate' }): void {
    this.#generator.generate(message)
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
    this.#generator.cancel(id)
  }

  pause(id: number): void {
    this.#generator.pause(id)
  }

  resume(id: number): void {
    this.#generator.resume(id)
  }

  progress(): StepProgress {
    return this.#generator.progress()
  }
}

type PrepareOutcome = Awaited<ReturnType<PromptPreparer['prepare']>>

const preparedMessage = (id: number, outcome: PrepareOutcome): RequestMessage => {
  switch (outcome.type) {
    case 'template_refused':
      return {
        type: 'failed',
        id,
        failure: { kind: outcome.type, reason: oneLine(outcome.reason), cpuMs: outcome.cpuMs },
      }
    case 'busy':
      return { type: 'failed', id, failure: { kind: 'queue_full' } }
    default:
      return { ...outcome, id }
  }
}
