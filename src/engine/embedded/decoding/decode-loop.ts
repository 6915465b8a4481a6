/**
 * Continuous batching: each step reads one token of every running answer and a slice of the waiting prompts with
 * llama.cpp. Requests join and leave between steps, and the results of a step are emitted together. The thread of the loop
 * is blocked during a step: it is one of those that compute. It handles tokens and sequences; its callers handle texts.
 */
import type { PromptToken } from '../../contract.ts'
import type { OnRead, Slice } from '../llama/native-batch.ts'
import type { Llama } from '../llama/open-llama.ts'
import type { StepProgress } from '../step-progress.ts'
import { addDraft } from './add-draft.ts'
import { type PlannedSlice, planBatch } from './batch-planner.ts'
import { bridgeSlices } from './bridge-gaps.ts'
import { createEmitPace, type EmitPace } from './emit-pace.ts'
import { resumeAnswer, type SampledStep, sampleAnswer } from './sample-answer.ts'
import { SequenceMemory, type SequenceMemoryOptions } from './sequence-memory.ts'
import { createStepMeter, type StepMeter, type StepMeterOptions } from './step-meter.ts'
import {
  catchUp,
  type DecodeRequest,
  isUnsampled,
  keepLogits,
  type Part,
  type Running,
  readingPrompts,
  stepParts,
} from './step-parts.ts'

export type DecodeEvent =
  | SampledStep
  | { type: 'prompt'; id: number; tokens: PromptToken[] }
  | { type: 'failed'; id: number; error: unknown }

type DecodeLoopOptions = StepMeterOptions &
  SequenceMemoryOptions & {
    llama: Pick<Llama, 'decode' | 'setThreads' | 'contextTokens' | 'canRemoveEnd'>
    /** Whether a single answer may be speeded up by drafts from its prompt. */
    speculates: boolean
    batchTokens: number
    /** All results of a step in one call, or of several quick ones. */
    emit: (events: DecodeEvent[]) => void
    /** How long tokens may wait for those of the next steps; by default they do not. */
    emitIntervalMs?: number
    /** Called when a step begins or ends. */
    onProgress?: (progress: StepProgress) => void
  }

/** Tokens that all paused searches check together while the model computes a step. */
const resumedChecks = 4096

/** Lets messages that have arrived be handled. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class DecodeLoop {
  readonly #options: DecodeLoopOptions
  readonly #meter: StepMeter
  readonly #memory: SequenceMemory
  /** New requests, and paused answers that are to continue. */
  readonly #waiting = new Map<number, DecodeRequest | Running>()
  readonly #running = new Map<number, Running>()
  /** To be paused once the current step has ended. */
  readonly #pausing = new Set<number>()
  #isLooping = false
  #progress: StepProgress = { steps: 0, isStepping: false }
  readonly #pace: EmitPace
  /** Results of the current step, and of quick ones before it. */
  #unsent: DecodeEvent[] = []

  constructor(options: DecodeLoopOptions) {
    this.#options = options
    this.#pace = createEmitPace(options.emitIntervalMs ?? 0)
    this.#meter = createStepMeter(options)
    this.#memory = new SequenceMemory(options)
  }

  add(request: DecodeRequest | Running): void {
    this.#waiting.set(request.id, request)
    if (!this.#isLooping) void this.#loop()
  }

  /** Emits nothing more for the request. Its sequence is freed at the next step; cached tokens stay reusable. */
  cancel(id: number): void {
    this.#waiting.delete(id)
    this.#unsent = this.#unsent.filter((event) => event.id !== id)
    this.#leave(id)
    this.#pausing.delete(id)
    this.#memory.forget(id)
  }

  /** Later steps leave the request out, whether its prompt is being read or it is answered, until it is resumed. */
  pause(id: number): void {
    if (this.#running.has(id) || this.#waiting.has(id)) this.#pausing.add(id)
  }

  resume(id: number): void {
    if (this.#pausing.delete(id)) return
    const request = this.#memory.takePaused(id)
    if (request !== undefined) this.add(request)
  }

  progress(): StepProgress {
    return this.#progress
  }

  async #loop(): Promise<void> {
    this.#isLooping = true
    // Other requests that have arrived by now join the first step.
    await nextTurn()
    for (;;) {
      this.#pauseAnswers()
      this.#admit()
      this.#sampleUnsampled()
      if (this.#running.size === 0) break
      await this.#step()
      const step = { tookMs: this.#meter.tookMs(), nowMs: this.#options.nowMs() }
      if (!this.#pace.mayWait(this.#unsent, step)) this.#emit()
      await nextTurn()
    }
    this.#emit()
    this.#isLooping = false
  }

  #emit(): void {
    if (this.#unsent.length === 0) return
    this.#options.emit(this.#unsent)
    this.#unsent = []
    this.#pace.emitted(this.#options.nowMs())
  }

  #pauseAnswers(): void {
    for (const id of this.#pausing) {
      const [one, request] = [this.#running.get(id), this.#waiting.get(id)]
      this.#waiting.delete(id)
      this.#leave(id)
      if (one !== undefined) this.#memory.pause(one, true)
      else if (request !== undefined) this.#memory.pause(request, false)
    }
    this.#pausing.clear()
  }

  /** First come, first served, except for requests that wait for another prompt to be read. */
  #admit(): void {
    for (const request of this.#waiting.values()) {
      const one = this.#memory.place(request)
      if (one === 'full') return
      if (one === 'wait') continue
      this.#waiting.delete(request.id)
      this.#running.set(request.id, one)
    }
  }

  /** Prompts that were read before have their first token without a step. */
  #sampleUnsampled(): void {
    const unsent = this.#unsent.length
    for (const one of this.#running.values()) {
      const { logits } = one.held
      if (logits !== null && isUnsampled(one))
        this.#collect(
          one,
          sampleAnswer(one, { tokens: [] }, () => logits),
        )
    }
    if (this.#unsent.length > unsent) this.#emit()
  }

  async #step(): Promise<void> {
    const { llama, batchTokens } = this.#options
    const running = [...this.#running.values()]
    const planned = this.#plan(running, batchTokens)
    // Prompts take longer than tokens.
    if (planned.length > 0) this.#emit()
    const mayDraft = this.#mayDraft()
    const parts = [...stepParts(running, planned)].map((part) =>
      mayDraft ? addDraft(part, llama.contextTokens) : part,
    )
    // No answer has anything to read before its search has ended.
    if (parts.length === 0) {
      this.#resumeSearches(running)
      this.#endStep()
      return
    }
    const measured = this.#meter.begin()
    llama.setThreads(measured.threads)
    this.#setProgress({ ...this.#progress, isStepping: true })
    const slices = parts.map(({ slice }) => slice)
    const heldTokens = (sequence: number) => this.#memory.heldTokens(sequence)
    const bridges = llama.canRemoveEnd ? bridgeSlices(slices, heldTokens, llama.contextTokens) : []
    try {
      const inBackground = running.some(({ isSearching }) => isSearching)
      const decoded = llama.decode([...slices, ...bridges], this.#onRead(parts), { inBackground })
      // Searches continue while the model computes, so that the other answers do not wait for them.
      this.#resumeSearches(running)
      await decoded
      this.#removeBridges(bridges)
      measured.end(planned.reduce((sum, { tokens }) => sum + tokens, 0))
    } catch (error) {
      this.#removeBridges(bridges)
      this.#failAll(running, error)
    } finally {
      this.#endStep()
    }
  }

  /** Samples and sends the first token of a prompt as soon as it was read: it does not wait for the prompts after it. */
  #onRead(parts: readonly Part[]): OnRead {
    return (index, logits) => {
      const part = parts[index]
      if (part === undefined) return
      const { one, slice } = part
      one.held.tokens.push(...slice.tokens)
      this.#score(part, logits)
      catchUp(one)
      if (!slice.isSampled) return
      if (isUnsampled(one)) keepLogits(one.held, logits())
      this.#collect(one, sampleAnswer(one, slice, logits))
      if (slice.tokens.length > 1) this.#emit()
    }
  }

  /** At once: the next slice overwrites the logits. */
  #score({ one, slice }: Part, logits: (token?: number) => Float32Array): void {
    const { id, scorer } = one
    if (!slice.isScored || scorer === undefined || this.#running.get(id) !== one) return
    this.#unsent.push({ type: 'prompt', id, tokens: scorer.read(slice, logits) })
  }

  /** Removes the extra tokens that `bridgeGaps` added to sequences. */
  #removeBridges(bridges: readonly Slice[]): void {
    for (const { sequence, position } of bridges) this.#options.llama.keep(sequence, position)
  }

  #endStep(): void {
    const cacheUse = this.#memory.use(this.#options.llama.contextTokens)
    this.#setProgress({ steps: this.#progress.steps + 1, isStepping: false, cacheUse })
  }

  #setProgress(progress: StepProgress): void {
    this.#progress = progress
    this.#options.onProgress?.(progress)
  }

  #plan(running: readonly Running[], capacity: number): PlannedSlice[] {
    const reading = readingPrompts(running)
    const generating = running.length - reading.length
    return planBatch({
      generating,
      reading,
      step: this.#progress.steps,
      promptBudget: this.#meter.promptTokens(generating > 0),
      capacity,
    })
  }

  /** Further streams share a batch already, so a draft would only delay them. */
  #mayDraft(): boolean {
    const { speculates, llama } = this.#options
    return speculates && llama.canRemoveEnd && this.#running.size === 1
  }

  #resumeSearches(running: readonly Running[]): void {
    const searching = running.filter(({ isSearching }) => isSearching)
    const checks = Math.ceil(resumedChecks / searching.length)
    for (const one of searching) this.#collect(one, resumeAnswer(one, checks))
  }

  /** A failure ends only this answer. */
  #collect(one: Running, sampled: Generator<SampledStep, number>): void {
    const { id, held } = one
    // The request may have been cancelled during the step.
    if (this.#running.get(id) !== one) return
    try {
      let next = sampled.next()
      for (; !next.done; next = sampled.next()) {
        if (next.value.step.end !== null) this.#leave(id)
        this.#unsent.push(next.value)
      }
      if (next.value > 0) this.#memory.removeEnd(held, next.value)
    } catch (error) {
      this.#leave(id)
      this.#unsent.push({ type: 'failed', id, error })
    }
  }

  #leave(id: number): void {
    const one = this.#running.get(id)
    if (one === undefined) return
    this.#running.delete(id)
    this.#memory.release(one)
  }

  /** The memory state after a failed batch is unknown. */
  #failAll(running: readonly Running[], error: unknown): void {
    for (const { id, held } of running) {
      this.#memory.clear(held)
      if (this.#running.has(id)) this.#unsent.push({ type: 'failed', id, error })
      this.#leave(id)
    }
  }
}
