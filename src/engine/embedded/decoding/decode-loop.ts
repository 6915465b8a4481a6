/**
 * Continuous batching: each step reads one token of every running answer and a slice of the waiting prompts in one
 * llama.cpp batch on other threads. Requests join and leave between steps, and the results of a step are emitted
 * together. The loop handles tokens and sequences; callers handle texts, templates and messages.
 */
import type { Answer, AnswerStep } from '../answer.ts'
import type { LogitsOf, Slice } from '../llama/native-batch.ts'
import type { Llama } from '../llama/open-llama.ts'
import { type PlannedSlice, planBatch } from './batch-planner.ts'
import { chooseCachedSequence, type HeldSequence } from './choose-cached-sequence.ts'
import { createDraftPolicy, type DraftPolicy, draftTokens } from './draft-policy.ts'
import { findDraft, mostSearched } from './find-draft.ts'
import { createStepBudget } from './step-budget.ts'
import { createThreadChoice, type ThreadChoice } from './thread-choice.ts'
import { createThreadReport, type ThreadReport } from './thread-report.ts'

export type DecodeRequest = {
  id: number
  prompt: readonly number[]
  answer: Answer
  /** The organisation: only prompts with the same scope share cached content, and scopes share the steps. */
  scope: string
}

export type DecodeEvent =
  | { type: 'step'; id: number; step: AnswerStep; cachedTokens: number; completionTokens: number }
  | { type: 'failed'; id: number; error: unknown }

/** Progress of the loop, used only to detect that it still advances. */
export type StepProgress = {
  /** Number of finished steps. */
  steps: number
  /** A step is in progress. */
  isStepping: boolean
}

type DecodeLlama = Pick<
  Llama,
  'decode' | 'keep' | 'copy' | 'sequences' | 'setThreads' | 'contextTokens' | 'canRemoveEnd'
>
type DecodeLoopOptions = {
  llama: DecodeLlama
  /** Whether a single answer may be speeded up by drafts from its prompt. */
  speculates: boolean
  batchTokens: number
  /** The number of cores available to it. */
  threads: number
  nowMs: () => number
  /** CPU time of this process so far. */
  cpuMs: () => number
  /** All results of a step, in one call, while the next one runs. */
  emit: (events: DecodeEvent[]) => void
  /** Called when the number of threads in use has changed, at most once a minute. */
  onThreads?: (threads: number) => void
}

type Running = DecodeRequest & {
  held: Held
  cachedTokens: number
  completionTokens: number
  /** Sampled but not read yet; null while the prompt is being read. */
  nextToken: number | null
  drafts: DraftPolicy
}
type Held = HeldSequence & { tokens: number[] }

export class DecodeLoop {
  readonly #options: DecodeLoopOptions
  readonly #budget = createStepBudget()
  readonly #threads: ThreadChoice
  readonly #threadReport: ThreadReport
  readonly #held: Held[]
  readonly #waiting = new Map<number, DecodeRequest>()
  readonly #running = new Map<number, Running>()
  #isLooping = false
  #uses = 0
  #progress: StepProgress = { steps: 0, isStepping: false }
  /** Results of the last step. They are sent once the next one has begun, so that it does not wait for that. */
  #unsent: DecodeEvent[] = []

  constructor(options: DecodeLoopOptions) {
    this.#options = options
    this.#threads = createThreadChoice(options.threads)
    this.#threadReport = createThreadReport(options.threads, (threads) => options.onThreads?.(threads))
    this.#held = Array.from({ length: options.llama.sequences }, (_, sequence) => ({
      sequence,
      scope: null,
      tokens: [],
      runningPrompt: null,
      lastUsed: 0,
    }))
  }

  add(request: DecodeRequest): void {
    this.#waiting.set(request.id, request)
    if (!this.#isLooping) void this.#loop()
  }

  /** Emits nothing more for the request. Its sequence is freed at the next step; cached tokens stay reusable. */
  cancel(id: number): void {
    this.#waiting.delete(id)
    this.#leave(id)
  }

  progress(): StepProgress {
    return this.#progress
  }

  async #loop(): Promise<void> {
    this.#isLooping = true
    // Other requests that have arrived by now join the first step.
    await new Promise((resolve) => setImmediate(resolve))
    for (;;) {
      this.#admit()
      if (this.#running.size === 0) break
      await this.#step()
    }
    this.#sendUnsent()
    this.#isLooping = false
  }

  /** First come, first served, except for requests that wait for another prompt to be read. */
  #admit(): void {
    for (const request of this.#waiting.values()) {
      const choice = chooseCachedSequence(this.#held, request.prompt, request.scope)
      if (choice.type === 'full') return
      if (choice.type === 'wait') continue
      const held = this.#held[choice.sequence]
      if (held === undefined) throw new Error('there is no such sequence')
      this.#waiting.delete(request.id)
      this.#uses += 1
      const cachedTokens = this.#reuse(held, choice)
      Object.assign(held, { scope: request.scope, runningPrompt: request.prompt, lastUsed: this.#uses })
      const state = { completionTokens: 0, nextToken: null, drafts: createDraftPolicy() }
      this.#running.set(request.id, { ...request, held, cachedTokens, ...state })
    }
  }

  #reuse(held: Held, { copyFrom, reusedTokens }: { copyFrom: number | null; reusedTokens: number }): number {
    const { llama } = this.#options
    const source = copyFrom === null ? held : this.#held[copyFrom]
    if (copyFrom !== null) llama.copy(copyFrom, held.sequence)
    const kept = llama.keep(held.sequence, reusedTokens) ? reusedTokens : 0
    held.tokens = source?.tokens.slice(0, kept) ?? []
    return kept
  }

  async #step(): Promise<void> {
    const { llama, batchTokens, nowMs, cpuMs } = this.#options
    const running = [...this.#running.values()]
    const planned = this.#plan(running, batchTokens)
    const bySequence = new Map(running.map((one) => [one.held.sequence, one]))
    const parts = [...partsOf(running, planned, bySequence)].map((part) => this.#withDraft(part))
    const [startedAtMs, cpuBeforeMs] = [nowMs(), cpuMs()]
    llama.setThreads(this.#threads.threads())
    this.#progress = { ...this.#progress, isStepping: true }
    try {
      const decoded = llama.decode(parts.map(({ slice }) => slice))
      this.#sendUnsent()
      const logitsOf = await decoded
      const promptTokens = planned.reduce((sum, { tokens }) => sum + tokens, 0)
      const tookMs = nowMs() - startedAtMs
      this.#budget.observe({ promptTokens, tookMs })
      this.#threads.observe({ tookMs, cpuMs: cpuMs() - cpuBeforeMs, nowMs: nowMs() })
      this.#threadReport.observe(this.#threads.threads(), nowMs())
      for (const { one, slice } of parts) one.held.tokens.push(...slice.tokens)
      this.#unsent = this.#sample(parts, logitsOf)
    } catch (error) {
      this.#failAll(running, error)
    } finally {
      this.#progress = { steps: this.#progress.steps + 1, isStepping: false }
    }
  }

  #sendUnsent(): void {
    const events = this.#unsent
    this.#unsent = []
    if (events.length > 0) this.#options.emit(events)
  }

  #plan(running: readonly Running[], capacity: number): PlannedSlice[] {
    const reading = running.filter(({ nextToken }) => nextToken === null)
    const generating = running.length - reading.length
    const inFlight = (scope: string) => running.filter((one) => one.scope === scope).length
    return planBatch({
      generating,
      reading: reading.map(({ held, scope, prompt }) => ({
        sequence: held.sequence,
        promptTokens: prompt.length,
        readTokens: held.tokens.length,
        inFlight: inFlight(scope),
      })),
      step: this.#progress.steps,
      promptBudget: this.#budget.promptTokens(generating > 0),
      capacity,
    })
  }

  /** Further streams share a batch already, so a draft would only delay them. */
  #withDraft(part: Part): Part {
    const { speculates, llama } = this.#options
    const { one, slice } = part
    const isAlone = this.#running.size === 1 && one.nextToken !== null
    if (!speculates || !llama.canRemoveEnd || !isAlone || !one.drafts.shouldDraft()) return part
    const text = [...one.held.tokens.slice(-mostSearched), ...slice.tokens]
    const draft = findDraft(text, draftTokens)
    if (draft.length === 0 || slice.position + 1 + draft.length > llama.contextTokens) return part
    return { one, slice: { ...slice, tokens: [...slice.tokens, ...draft], isDraft: true } }
  }

  #sample(parts: readonly Part[], logitsOf: LogitsOf): DecodeEvent[] {
    const events: DecodeEvent[] = []
    for (const [index, { one, slice }] of parts.entries()) {
      const { id } = one
      // The request may have been cancelled during the step.
      if (!slice.isSampled || this.#running.get(id) !== one) continue
      try {
        for (const step of this.#stepsOf(one, slice, (token) => logitsOf(index, token))) events.push(step)
      } catch (error) {
        this.#leave(id)
        events.push({ type: 'failed', id, error })
      }
    }
    return events
  }

  /** One token, and after it as many as the draft predicted: each is sampled as it would be without a draft. */
  *#stepsOf(one: Running, slice: Slice, logitsOf: (token?: number) => Float32Array): Generator<DecodeEvent> {
    const { id, cachedTokens, held, drafts } = one
    const draft = slice.isDraft ? slice.tokens.slice(1) : []
    let accepted = 0
    for (let isPredicted = true; isPredicted; ) {
      const step = one.answer.next(slice.isDraft ? logitsOf(accepted) : logitsOf())
      one.nextToken = step.token?.id ?? null
      if (step.token) one.completionTokens += 1
      if (step.end !== null) this.#leave(id)
      yield { type: 'step', id, step, cachedTokens, completionTokens: one.completionTokens }
      isPredicted = step.end === null && accepted < draft.length && one.nextToken === draft[accepted]
      if (isPredicted) accepted += 1
    }
    drafts.observe({ drafted: draft.length, accepted })
    if (accepted < draft.length) this.#removeEnd(held, draft.length - accepted)
  }

  #removeEnd(held: Held, tokens: number): void {
    held.tokens.length -= tokens
    if (this.#options.llama.keep(held.sequence, held.tokens.length)) return
    held.tokens = []
    throw new Error('the end of a sequence could not be removed')
  }

  #leave(id: number): void {
    const one = this.#running.get(id)
    if (one === undefined) return
    this.#running.delete(id)
    one.held.runningPrompt = null
  }

  /** The memory state after a failed batch is unknown. */
  #failAll(running: readonly Running[], error: unknown): void {
    const { llama } = this.#options
    const events: DecodeEvent[] = []
    for (const { id, held } of running) {
      llama.keep(held.sequence, 0)
      held.tokens = []
      if (this.#running.has(id)) events.push({ type: 'failed', id, error })
      this.#leave(id)
    }
    this.#unsent.push(...events)
  }
}

type Part = { one: Running; slice: Slice }

function* partsOf(
  running: readonly Running[],
  planned: readonly PlannedSlice[],
  bySequence: Map<number, Running>,
): Generator<Part> {
  for (const one of running) {
    const { held, nextToken } = one
    if (nextToken === null) continue
    yield {
      one,
      slice: { sequence: held.sequence, position: held.tokens.length, tokens: [nextToken], isSampled: true },
    }
  }
  for (const { sequence, from, tokens, isLast } of planned) {
    const one = bySequence.get(sequence)
    if (one)
      yield {
        one,
        slice: { sequence, position: from, tokens: one.prompt.slice(from, from + tokens), isSampled: isLast },
      }
  }
}
