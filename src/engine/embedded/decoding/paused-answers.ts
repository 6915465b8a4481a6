import type { Llama } from '../llama/open-llama.ts'
import type { DecodeRequest, Held, Running } from './step-parts.ts'

/** The content of a sequence that was needed for another answer. `data` is null if there was no memory to save it. */
type Evicted = { tokens: readonly number[]; data: Uint8Array | null }

type PausedAnswersOptions = {
  llama: Pick<Llama, 'savedBytes' | 'save'>
  /** Memory for saved sequences. */
  limitBytes: number
}

/**
 * Answers that are paused between two steps. Each keeps its sequence until another answer needs it; its content is then
 * saved, or read again later if there is no memory for it.
 */
export class PausedAnswers {
  readonly #options: PausedAnswersOptions
  readonly #paused = new Map<number, DecodeRequest | Running>()
  /** Includes answers that are to continue and wait for a sequence. */
  readonly #evicted = new Map<number, Evicted>()
  #usedBytes = 0

  constructor(options: PausedAnswersOptions) {
    this.#options = options
  }

  /** A running answer; it keeps its sequence. */
  addRunning(one: Running): void {
    one.held.pausedId = one.id
    this.#paused.set(one.id, one)
  }

  /** An answer that waits for a sequence, or for its own sequence again. */
  addWaiting(request: DecodeRequest | Running): void {
    this.#paused.set(request.id, request)
  }

  /** The answer is to continue. */
  take(id: number): DecodeRequest | Running | undefined {
    const request = this.#paused.get(id)
    this.#paused.delete(id)
    return request
  }

  /** Another answer gets the sequence. */
  evict(held: Held): void {
    const id = held.pausedId ?? null
    if (id === null) return
    held.pausedId = null
    const tokens = [...held.tokens]
    const data = this.#save(held.sequence)
    this.#usedBytes += data?.length ?? 0
    this.#evicted.set(id, { tokens, data })
  }

  hasSaved(id: number): boolean {
    return this.#evicted.get(id)?.data != null
  }

  /** Returns the saved content and forgets it. */
  takeEvicted(id: number): Evicted | undefined {
    const evicted = this.#evicted.get(id)
    this.#evicted.delete(id)
    this.#usedBytes -= evicted?.data?.length ?? 0
    return evicted
  }

  /** The answer is no longer wanted. */
  forget(id: number): void {
    this.#paused.delete(id)
    this.takeEvicted(id)
  }

  #save(sequence: number): Uint8Array | null {
    const { llama, limitBytes } = this.#options
    if (this.#usedBytes + llama.savedBytes(sequence) > limitBytes) return null
    try {
      return llama.save(sequence)
    } catch {
      return null
    }
  }
}
