/** The main object of an engine process with an embedding model: inputs in, vectors out, several requests at once. */
import type { StepProgress } from '../decoding/decode-loop.ts'
import { engineFailure } from '../engine-failure.ts'
import type { HostOptions } from '../host.ts'
import type { LoadSettings } from '../load-settings.ts'
import { loadVerified } from '../load-verified.ts'
import { processorMs } from '../processor-ms.ts'
import type { OpenedModel, RequestMessage, ToWorker } from '../protocol.ts'
import { EmbeddingLoop } from './embedding-loop.ts'
import { type Embedder, openEmbedder } from './open-embedder.ts'
import { tokeniseInputs } from './tokenise-inputs.ts'

export class EmbeddingHost {
  readonly opened: OpenedModel
  readonly #embedder: Embedder
  readonly #loop: EmbeddingLoop
  readonly #send: HostOptions['send']
  /** Requests whose inputs are being tokenised, or wait for it. */
  readonly #tokenising = new Set<number>()
  /** One after the other: the threads are needed for the model. */
  #lastTokenised: Promise<void> = Promise.resolve()

  private constructor(embedder: Embedder, { send }: HostOptions) {
    const { contextTokens, vocabularyTokens, vectorLength, memory, gpu, gpuFault, threads } = embedder
    this.opened = { contextTokens, vocabularyTokens, features: ['embeddings'], vectorLength, memory, gpu, gpuFault }
    this.#embedder = embedder
    this.#send = send
    this.#loop = new EmbeddingLoop({
      embedder,
      threads,
      nowMs: () => performance.now(),
      cpuMs: processorMs,
      emit: (events) =>
        send(
          events.map((event) =>
            event.type === 'failed' ? { type: 'failed', id: event.id, failure: engineFailure(event.error) } : event,
          ),
        ),
    })
  }

  static async open(settings: LoadSettings, options: HostOptions): Promise<EmbeddingHost> {
    const embedder = await loadVerified(settings, () => openEmbedder(settings, options.log))
    return new EmbeddingHost(embedder, options)
  }

  tokenise({ id, inputs }: ToWorker & { type: 'tokenise' }): void {
    this.#tokenising.add(id)
    const isWanted = () => this.#tokenising.has(id)
    const run = async (): Promise<void> => {
      if (!isWanted()) return
      const message = await tokeniseInputs(inputs, this.#embedder, isWanted).then(
        (outcome): RequestMessage =>
          'refusal' in outcome
            ? { type: 'input_refused', id, refusal: outcome.refusal }
            : { type: 'tokenised', id, inputs: outcome.inputs },
        (error): RequestMessage => ({ type: 'failed', id, failure: engineFailure(error) }),
      )
      if (this.#tokenising.delete(id)) this.#send([message])
    }
    this.#lastTokenised = this.#lastTokenised.then(run)
  }

  embed({ id, inputs }: ToWorker & { type: 'embed' }): void {
    this.#loop.add({ id, inputs })
  }

  cancel(id: number): void {
    this.#tokenising.delete(id)
    this.#loop.cancel(id)
  }

  progress(): StepProgress {
    return this.#loop.progress()
  }
}
