import type { Llama } from '../llama/open-llama.ts'
import { chooseCachedSequence, type SequenceChoice, spareSequence } from './choose-cached-sequence.ts'
import { createDraftPolicy } from './draft-policy.ts'
import { PausedAnswers } from './paused-answers.ts'
import type { DecodeRequest, Held, Running } from './step-parts.ts'

export type SequenceMemoryOptions = {
  llama: Pick<Llama, 'keep' | 'copy' | 'savedBytes' | 'save' | 'restore' | 'sequences'>
  /** Memory for the sequences of paused answers that had to make room. */
  savedLimitBytes: number
}
type Use = SequenceChoice & { type: 'use' }

/** What the sequences contain: which answer runs in which of them, and what is cached for later ones. */
export class SequenceMemory {
  readonly #llama: SequenceMemoryOptions['llama']
  readonly #held: Held[]
  readonly #paused: PausedAnswers
  #uses = 0

  constructor({ llama, savedLimitBytes }: SequenceMemoryOptions) {
    this.#llama = llama
    this.#paused = new PausedAnswers({ llama, limitBytes: savedLimitBytes })
    this.#held = Array.from({ length: llama.sequences }, (_, sequence) => ({
      sequence,
      scope: null,
      tokens: [],
      logits: null,
      logitsAfter: null,
      runningPrompt: null,
      pausedId: null,
      lastUsed: 0,
    }))
  }

  heldTokens(sequence: number): number {
    return this.#held[sequence]?.tokens.length ?? 0
  }

  /** The share of all sequences, each of so many tokens, that has tokens. */
  use(contextTokens: number): number {
    const tokens = this.#held.reduce((sum, held) => sum + held.tokens.length, 0)
    return tokens / (this.#held.length * contextTokens)
  }

  /** Gives a sequence to a new request, or to an answer that continues. `wait`: a later step does, even if one is free now. */
  place(request: DecodeRequest | Running): Running | 'full' | 'wait' {
    const choice = this.#choose(request)
    if (choice.type !== 'use') return choice.type
    const held = this.#held[choice.sequence]
    if (held === undefined) throw new Error('there is no such sequence')
    this.#uses += 1
    const one = 'held' in request ? this.#continue(request, held, choice) : this.#start(request, held, choice)
    held.scope = request.scope
    held.runningPrompt = request.prompt
    held.pausedId = null
    held.lastUsed = this.#uses
    return one
  }

  /** The answer no longer runs. Its tokens stay reusable. */
  release({ held }: Running): void {
    held.runningPrompt = null
  }

  /** Pauses a running answer, which keeps its sequence, or one that waits for a sequence. */
  pause(request: DecodeRequest | Running, isRunning: boolean): void {
    if (isRunning && 'held' in request) this.#paused.addRunning(request)
    else this.#paused.addWaiting(request)
  }

  /** A paused answer that is to continue. */
  takePaused(id: number): DecodeRequest | Running | undefined {
    return this.#paused.take(id)
  }

  /** The answer is no longer wanted, whether it is paused or not. */
  forget(id: number): void {
    this.#paused.forget(id)
    for (const held of this.#held) if (held.pausedId === id) held.pausedId = null
  }

  removeEnd(held: Held, tokens: number): void {
    held.tokens.length -= tokens
    if (this.#llama.keep(held.sequence, held.tokens.length)) return
    held.tokens = []
    throw new Error('the end of a sequence could not be removed')
  }

  clear(held: Held): void {
    this.#llama.keep(held.sequence, 0)
    setContent(held, [])
  }

  #choose(request: DecodeRequest | Running): SequenceChoice {
    const { id, prompt, scope, scorer } = request
    const own = this.#held.find(({ pausedId }) => pausedId === id)
    const spare = own ?? (this.#paused.hasSaved(id) ? spareSequence(this.#held) : undefined)
    // Cached tokens have no logits any more, so a prompt whose log probabilities are wanted is read from the beginning.
    if (spare === undefined) return chooseCachedSequence(this.#held, scorer === undefined ? prompt : [], scope)
    if (spare === null) return { type: 'full' }
    return { type: 'use', sequence: spare.sequence, reusedTokens: 0, copyFrom: null }
  }

  #start(request: DecodeRequest, held: Held, choice: Use): Running {
    const cachedTokens = this.#reuse(held, choice)
    const state = { completionTokens: 0, nextToken: null, isSearching: false, drafts: createDraftPolicy() }
    return { ...request, held, cachedTokens, ...state, behind: null }
  }

  /** After a pause: in its own sequence, in another one with what was saved, or by reading its tokens again. */
  #continue(one: Running, held: Held, choice: Use): Running {
    if (held.pausedId === one.id) return one
    const { tokens = [], data = null } = this.#paused.takeEvicted(one.id) ?? {}
    one.held = held
    if (data !== null) {
      this.#paused.evict(held)
      setContent(held, [])
      if (this.#llama.restore(held.sequence, data)) {
        held.tokens = [...tokens]
        return one
      }
    } else this.#reuse(held, choice)
    const { prompt, nextToken, isSearching, behind } = one
    if (behind !== null || tokens.length < prompt.length) return one
    one.nextToken = null
    one.isSearching = false
    one.behind = { tokens, nextToken, isSearching }
    return one
  }

  #reuse(held: Held, { copyFrom, reusedTokens }: Use): number {
    this.#paused.evict(held)
    const source = (copyFrom === null ? held : this.#held[copyFrom]) ?? held
    if (copyFrom !== null) this.#llama.copy(copyFrom, held.sequence)
    const kept = this.#llama.keep(held.sequence, reusedTokens) ? reusedTokens : 0
    setContent(held, source.tokens.slice(0, kept), source)
    return kept
  }
}

/** The logits stay valid if all tokens before them are kept. */
const setContent = (held: Held, tokens: number[], known: Pick<Held, 'logits' | 'logitsAfter'> | null = null): void => {
  const { logits, logitsAfter } = known ?? { logits: null, logitsAfter: null }
  const areKnown = logitsAfter !== null && logitsAfter <= tokens.length
  held.tokens = tokens
  held.logits = areKnown ? logits : null
  held.logitsAfter = areKnown ? logitsAfter : null
}
