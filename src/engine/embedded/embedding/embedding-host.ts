/** The main object of an engine process with an embedding model or a reranker: inputs in, vectors or scores out, several requests at once. */
import type { InputOptions, ModelInputs } from '../../contract.ts'
import { processorMs } from '../core-times.ts'
import { engineFailure } from '../engine-failure.ts'
import type { HostOptions } from '../host.ts'
import type { LoadSettings } from '../load-settings.ts'
import { loadVerified } from '../load-verified.ts'
import type { OpenedModel, RequestMessage, ToWorker } from '../protocol.ts'
import { tokenisePairs } from '../reranking/tokenise-pairs.ts'
import type { StepProgress } from '../step-progress.ts'
import { EmbeddingLoop } from './embedding-loop.ts'
import { type Embedder, openEmbedder } from './open-embedder.ts'
import { type TokenisedInputs, tokeniseInputs } from './tokenise-inputs.ts'

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
    const { contextTokens, vocabularyTokens, vectorLength, memory, gpu, gpuFault, threads, pairFormat } = embedder
    const features: OpenedModel['features'] = [pairFormat === null ? 'embeddings' : 'rerank']
    this.opened = { contextTokens, vocabularyTokens, features, vectorLength, memory, gpu, gpuFault }
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

  tokenise({ id, inputs, options }: ToWorker & { type: 'tokenise' }): void {
    this.#tokenising.add(id)
    const isWanted = () => this.#tokenising.has(id)
    const run = async (): Promise<void> => {
      if (!isWanted()) return
      const message = await this.#tokenise(inputs, options, isWanted).then(
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

  async #tokenise(inputs: ModelInputs, options: InputOptions, isWanted: () => boolean): Promise<TokenisedInputs> {
    const { pairFormat: format } = this.#embedder
    if (!('documents' in inputs)) return tokeniseInputs(inputs, this.#embedder, isWanted, options)
    if (format === null) throw new Error('pairs were sent to a model that is no reranker')
    return tokenisePairs(inputs, { ...this.#embedder, format }, isWanted)
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
