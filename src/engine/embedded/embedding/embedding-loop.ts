/**
 * Embeds the inputs of several requests: each step reads some inputs of every request in one llama.cpp batch on other
 * threads. Requests join and leave between steps, and the vectors of a step are emitted together.
 */

import { createStepBudget } from '../decoding/step-budget.ts'
import { createThreadChoice, type ThreadChoice } from '../decoding/thread-choice.ts'
import type { StepProgress } from '../step-progress.ts'
import type { Embedder } from './open-embedder.ts'
import { planEmbeddingBatch } from './plan-embedding-batch.ts'

export type EmbeddingRequest = { id: number; inputs: readonly Uint32Array[] }

export type EmbeddingEvent =
  /** Vectors of the next inputs, one after the other. `isLast`: all inputs of the request are embedded. */
  | { type: 'vectors'; id: number; vectors: Float32Array; isLast: boolean }
  | { type: 'failed'; id: number; error: unknown }

type EmbeddingLoopOptions = {
  embedder: Pick<Embedder, 'embed' | 'setThreads' | 'maxInputs' | 'batchTokens'>
  /** The number of cores available to it. */
  threads: number
  nowMs: () => number
  /** CPU time of this process so far. */
  cpuMs: () => number
  /** All results of a step, in one call. */
  emit: (events: EmbeddingEvent[]) => void
}

type Running = EmbeddingRequest & { done: number }

export class EmbeddingLoop {
  readonly #options: EmbeddingLoopOptions
  readonly #budget = createStepBudget()
  readonly #threads: ThreadChoice
  /** The request that waits longest for its turn first. */
  readonly #running = new Map<number, Running>()
  #isLooping = false
  #progress: StepProgress = { steps: 0, isStepping: false }

  constructor(options: EmbeddingLoopOptions) {
    this.#options = options
    this.#threads = createThreadChoice(options.threads)
  }

  add(request: EmbeddingRequest): void {
    this.#running.set(request.id, { ...request, done: 0 })
    if (!this.#isLooping) void this.#loop()
  }

  /** Emits nothing more for the request, and reads none of its other inputs. */
  cancel(id: number): void {
    this.#running.delete(id)
  }

  progress(): StepProgress {
    return this.#progress
  }

  async #loop(): Promise<void> {
    this.#isLooping = true
    // Other requests that have arrived by now join the first step.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#running.size > 0) await this.#step()
    this.#isLooping = false
  }

  async #step(): Promise<void> {
    const { embedder, nowMs, cpuMs } = this.#options
    const parts = this.#plan()
    const inputs = parts.flatMap(({ one, count }) => one.inputs.slice(one.done, one.done + count))
    const [startedAtMs, cpuBeforeMs] = [nowMs(), cpuMs()]
    embedder.setThreads(this.#threads.threads())
    this.#progress = { ...this.#progress, isStepping: true }
    try {
      const vectors = await embedder.embed(inputs)
      const tookMs = nowMs() - startedAtMs
      this.#budget.observe({ promptTokens: inputs.reduce((sum, { length }) => sum + length, 0), tookMs })
      this.#threads.observe({ tookMs, cpuMs: cpuMs() - cpuBeforeMs, nowMs: nowMs() })
      this.#deliver(parts, vectors)
    } catch (error) {
      this.#fail(parts, error)
    } finally {
      this.#progress = { steps: this.#progress.steps + 1, isStepping: false }
    }
  }

  #plan(): Part[] {
    const { maxInputs, batchTokens } = this.#options.embedder
    const running = [...this.#running.values()]
    const targetTokens = Math.min(batchTokens, this.#budget.promptTokens(running.length > 1))
    const waiting = running.map(({ id, inputs, done }) => ({
      id,
      lengths: inputs.slice(done, done + maxInputs).map(({ length }) => length),
    }))
    const planned = planEmbeddingBatch(waiting, { targetTokens, maxInputs })
    return planned.flatMap(({ id, inputs: count }) => {
      const one = this.#running.get(id)
      return one === undefined ? [] : [{ one, count }]
    })
  }

  #deliver(parts: readonly Part[], vectors: readonly Float32Array[]): void {
    const events: EmbeddingEvent[] = []
    let first = 0
    for (const { one, count } of parts) {
      const own = vectors.slice(first, first + count)
      first += count
      one.done += count
      // The request may have been cancelled during the step.
      if (this.#running.get(one.id) !== one) continue
      const isLast = one.done === one.inputs.length
      // Behind the requests that had no turn in this step.
      this.#running.delete(one.id)
      if (!isLast) this.#running.set(one.id, one)
      events.push({ type: 'vectors', id: one.id, vectors: join(own), isLast })
    }
    this.#options.emit(events)
  }

  #fail(parts: readonly Part[], error: unknown): void {
    const failed = parts.filter(({ one }) => this.#running.get(one.id) === one)
    for (const { one } of failed) this.#running.delete(one.id)
    this.#options.emit(failed.map(({ one }) => ({ type: 'failed', id: one.id, error })))
  }
}

type Part = { one: Running; count: number }

const join = (vectors: readonly Float32Array[]): Float32Array => {
  const length = vectors[0]?.length ?? 0
  const joined = new Float32Array(length * vectors.length)
  for (const [index, vector] of vectors.entries()) joined.set(vector, index * length)
  return joined
}
