/**
 * Continuous batching: each step reads one token of every running answer and a slice of the waiting prompts with
 * llama.cpp. Requests join and leave between steps, and the results of a step are emitted together. The thread of the loop
 * is blocked during a step: it is one of those that compute. The loop handles tokens and sequences; callers handle texts,
 * templates and messages.
 */
import type { AnswerStep } from '../answer.ts'
import type { LogitsOf, Slice } from '../llama/native-batch.ts'
import type { Llama } from '../llama/open-llama.ts'
import { type PlannedSlice, planBatch } from './batch-planner.ts'
import { bridgeSlices } from './bridge-gaps.ts'
import { chooseCachedSequence, type SequenceChoice, spareSequence } from './choose-cached-sequence.ts'
import { createDraftPolicy, draftTokens } from './draft-policy.ts'
import { createEmitPace, type EmitPace } from './emit-pace.ts'
import { findDraft, maxSearched } from './find-draft.ts'
import { PausedAnswers } from './paused-answers.ts'
import { createStepBudget } from './step-budget.ts'
import {
  catchUp,
  type DecodeRequest,
  type Held,
  isRepeating,
  type Part,
  type Running,
  stepParts,
} from './step-parts.ts'
import { createThreadChoice, type ThreadChoice } from './thread-choice.ts'
import { createThreadReport, type ThreadReport } from './thread-report.ts'

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
  | 'decode'
  | 'keep'
  | 'copy'
  | 'savedBytes'
  | 'save'
  | 'restore'
  | 'sequences'
  | 'setThreads'
  | 'contextTokens'
  | 'canRemoveEnd'
>
type DecodeLoopOptions = {
  llama: DecodeLlama
  /** Whether a single answer may be speeded up by drafts from its prompt. */
  speculates: boolean
  batchTokens: number
  /** Memory for the sequences of paused answers that had to make room. */
  savedLimitBytes: number
  /** The number of cores available to it. */
  threads: number
  nowMs: () => number
  /** CPU time of this process so far. */
  cpuMs: () => number
  /** Time that cores of the machine have been idle so far, all together. */
  idleCoreMs?: () => number
  /** Time that threads of this process have waited for a core so far, all together; null if that is not known. */
  waitedMs?: () => number | null
  /** All results of a step in one call, or of several quick ones. */
  emit: (events: DecodeEvent[]) => void
  /** How long tokens may wait for those of the next steps; by default they do not. */
  emitIntervalMs?: number
  /** Called when a step begins or ends. */
  onProgress?: (progress: StepProgress) => void
  /** Called when the number of threads in use has changed, at most once a minute. */
  onThreads?: (threads: number) => void
}

/** Tokens that all paused searches check together while the model computes a step. */
const resumedChecks = 4096

/** Lets messages that have arrived be handled. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class DecodeLoop {
  readonly #options: DecodeLoopOptions
  readonly #budget = createStepBudget()
  readonly #threads: ThreadChoice
  readonly #threadReport: ThreadReport
  readonly #held: Held[]
  /** New requests, and paused answers that are to continue. */
  readonly #waiting = new Map<number, DecodeRequest | Running>()
  readonly #running = new Map<number, Running>()
  readonly #paused: PausedAnswers
  /** To be paused once the current step has ended. */
  readonly #pausing = new Set<number>()
  #isLooping = false
  #uses = 0
  #progress: StepProgress = { steps: 0, isStepping: false }
  readonly #pace: EmitPace
  #lastStepMs = 0
  /** Results of the current step, and of quick ones before it. */
  #unsent: DecodeEvent[] = []

  constructor(options: DecodeLoopOptions) {
    this.#options = options
    this.#pace = createEmitPace(options.emitIntervalMs ?? 0)
    this.#threads = createThreadChoice(options.threads, options.idleCoreMs, options.waitedMs)
    this.#threadReport = createThreadReport(options.threads, (threads) => options.onThreads?.(threads))
    this.#paused = new PausedAnswers({ llama: options.llama, limitBytes: options.savedLimitBytes })
    this.#held = Array.from({ length: options.llama.sequences }, (_, sequence) => ({
      sequence,
      scope: null,
      tokens: [],
      runningPrompt: null,
      pausedId: null,
      lastUsed: 0,
    }))
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
    this.#paused.forget(id)
    for (const held of this.#held) if (held.pausedId === id) held.pausedId = null
  }

  /** Later steps leave the request out, whether its prompt is being read or it is answered, until it is resumed. */
  pause(id: number): void {
    if (this.#running.has(id) || this.#waiting.has(id)) this.#pausing.add(id)
  }

  resume(id: number): void {
    if (this.#pausing.delete(id)) return
    const request = this.#paused.take(id)
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
      if (this.#running.size === 0) break
      await this.#step()
      const step = { tookMs: this.#lastStepMs, nowMs: this.#options.nowMs() }
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
      const one = this.#running.get(id)
      const request = this.#waiting.get(id)
      this.#waiting.delete(id)
      this.#leave(id)
      if (one !== undefined) this.#paused.addRunning(one)
      else if (request !== undefined) this.#paused.addWaiting(request)
    }
    this.#pausing.clear()
  }

  /** First come, first served, except for requests that wait for another prompt to be read. */
  #admit(): void {
    for (const request of this.#waiting.values()) {
      const choice = this.#chooseSequence(request)
      if (choice.type === 'full') return
      if (choice.type === 'wait') continue
      const held = this.#held[choice.sequence]
      if (held === undefined) throw new Error('there is no such sequence')
      this.#waiting.delete(request.id)
      this.#uses += 1
      const one = 'held' in request ? this.#continue(request, held, choice) : this.#start(request, held, choice)
      held.scope = request.scope
      held.runningPrompt = request.prompt
      held.pausedId = null
      held.lastUsed = this.#uses
      this.#running.set(request.id, one)
    }
  }

  #chooseSequence(request: DecodeRequest | Running): SequenceChoice {
    const { id, prompt, scope } = request
    const own = this.#held.find(({ pausedId }) => pausedId === id)
    const spare = own ?? (this.#paused.hasSaved(id) ? spareSequence(this.#held) : undefined)
    if (spare === undefined) return chooseCachedSequence(this.#held, prompt, scope)
    if (spare === null) return { type: 'full' }
    return { type: 'use', sequence: spare.sequence, reusedTokens: 0, copyFrom: null }
  }

  #start(request: DecodeRequest, held: Held, choice: SequenceChoice & { type: 'use' }): Running {
    const cachedTokens = this.#reuse(held, choice)
    const state = { completionTokens: 0, nextToken: null, isSearching: false, drafts: createDraftPolicy() }
    return { ...request, held, cachedTokens, ...state, behind: null }
  }

  /** After a pause: in its own sequence, in another one with what was saved, or by reading its tokens again. */
  #continue(one: Running, held: Held, choice: SequenceChoice & { type: 'use' }): Running {
    if (held.pausedId === one.id) return one
    const { tokens = [], data = null } = this.#paused.takeEvicted(one.id) ?? {}
    one.held = held
    if (data !== null) {
      this.#paused.evict(held)
      held.tokens = []
      if (this.#options.llama.restore(held.sequence, data)) {
        held.tokens = [...tokens]
        return one
      }
    } else this.#reuse(held, choice)
    const { prompt, nextToken, isSearching, behind } = one
    if (behind === null && tokens.length >= prompt.length) {
      one.nextToken = null
      one.isSearching = false
      one.behind = { tokens, nextToken, isSearching }
    }
    return one
  }

  #reuse(held: Held, { copyFrom, reusedTokens }: { copyFrom: number | null; reusedTokens: number }): number {
    const { llama } = this.#options
    this.#paused.evict(held)
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
    // Prompts take longer than tokens.
    if (planned.length > 0) this.#emit()
    const parts = [...stepParts(running, planned)].map((part) => this.#withDraft(part))
    // No answer has anything to read before its search has ended.
    if (parts.length === 0) {
      this.#resumeSearches(running)
      this.#setProgress({ steps: this.#progress.steps + 1, isStepping: false })
      return
    }
    const [startedAtMs, cpuBeforeMs] = [nowMs(), cpuMs()]
    llama.setThreads(this.#threads.threads())
    this.#setProgress({ ...this.#progress, isStepping: true })
    const slices = parts.map(({ slice }) => slice)
    const heldTokens = (sequence: number) => this.#held[sequence]?.tokens.length ?? 0
    const bridges = llama.canRemoveEnd ? bridgeSlices(slices, heldTokens, llama.contextTokens) : []
    try {
      // Searches continue while the model computes, so that the other answers do not wait for them.
      const decoded = llama.decode([...slices, ...bridges], {
        inBackground: running.some(({ isSearching }) => isSearching),
      })
      this.#resumeSearches(running)
      const logitsOf = await decoded
      this.#removeBridges(bridges)
      const promptTokens = planned.reduce((sum, { tokens }) => sum + tokens, 0)
      const tookMs = nowMs() - startedAtMs
      this.#lastStepMs = tookMs
      this.#budget.observe({ promptTokens, tookMs })
      this.#threads.observe({ tookMs, cpuMs: cpuMs() - cpuBeforeMs, nowMs: nowMs() })
      this.#threadReport.observe(this.#threads.threads(), nowMs())
      for (const { one, slice } of parts) one.held.tokens.push(...slice.tokens)
      for (const { one } of parts) catchUp(one)
      this.#sample(parts, logitsOf)
    } catch (error) {
      this.#removeBridges(bridges)
      this.#failAll(running, error)
    } finally {
      this.#setProgress({ steps: this.#progress.steps + 1, isStepping: false })
    }
  }

  /** What sequences only read along is not part of them. */
  #removeBridges(bridges: readonly Slice[]): void {
    for (const { sequence, position } of bridges) this.#options.llama.keep(sequence, position)
  }

  #setProgress(progress: StepProgress): void {
    this.#progress = progress
    this.#options.onProgress?.(progress)
  }

  #plan(running: readonly Running[], capacity: number): PlannedSlice[] {
    const reading = running.filter((one) => one.nextToken === null && !one.isSearching && !isRepeating(one))
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
    const text = [...one.held.tokens.slice(-maxSearched), ...slice.tokens]
    const draft = findDraft(text, draftTokens)
    if (draft.length === 0 || slice.position + 1 + draft.length > llama.contextTokens) return part
    return { one, slice: { ...slice, tokens: [...slice.tokens, ...draft], isDraft: true } }
  }

  #sample(parts: readonly Part[], logitsOf: LogitsOf): void {
    for (const [index, { one, slice }] of parts.entries())
      if (slice.isSampled)
        this.#collect(
          one,
          this.#stepsOf(one, slice, (token) => logitsOf(index, token)),
        )
  }

  #resumeSearches(running: readonly Running[]): void {
    const searching = running.filter(({ isSearching }) => isSearching)
    const checks = Math.ceil(resumedChecks / searching.length)
    for (const one of searching) this.#collect(one, this.#resumedStep(one, checks))
  }

  /** A failure ends only this answer. */
  #collect(one: Running, events: Iterable<DecodeEvent>): void {
    const { id } = one
    // The request may have been cancelled during the step.
    if (this.#running.get(id) !== one) return
    try {
      for (const event of events) this.#unsent.push(event)
    } catch (error) {
      this.#leave(id)
      this.#unsent.push({ type: 'failed', id, error })
    }
  }

  /** One token, and after it as many as the draft predicted: each is sampled as it would be without a draft. */
  *#stepsOf(one: Running, slice: Slice, logitsOf: (token?: number) => Float32Array): Generator<DecodeEvent> {
    const { held, drafts } = one
    const draft = slice.isDraft ? slice.tokens.slice(1) : []
    let accepted = 0
    for (let isPredicted = true; isPredicted; ) {
      const step = one.answer.next(slice.isDraft ? logitsOf(accepted) : logitsOf())
      yield* this.#accept(one, step)
      const isOpen = step !== 'paused' && step.end === null
      isPredicted = isOpen && accepted < draft.length && one.nextToken === draft[accepted]
      if (isPredicted) accepted += 1
    }
    drafts.observe({ drafted: draft.length, accepted })
    if (accepted < draft.length) this.#removeEnd(held, draft.length - accepted)
  }

  *#resumedStep(one: Running, checks: number): Generator<DecodeEvent> {
    yield* this.#accept(one, one.answer.resume(checks))
  }

  *#accept(one: Running, step: AnswerStep | 'paused'): Generator<DecodeEvent> {
    const { id, cachedTokens } = one
    one.isSearching = step === 'paused'
    one.nextToken = step === 'paused' ? null : (step.token?.id ?? null)
    if (step === 'paused') return
    if (step.token) one.completionTokens += 1
    if (step.end !== null) this.#leave(id)
    yield { type: 'step', id, step, cachedTokens, completionTokens: one.completionTokens }
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
