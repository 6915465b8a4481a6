import { classifyFailure, type UpstreamFailure } from './classify-failure.ts'
import type { Placed, Placement, Placing } from './placement.ts'
import type { PoolMember } from './pool-member.ts'
import type { RetryBudget } from './retry-budget.ts'

/** The life of a request in a pool. docs/upstreams.md draws it. */
type CallState =
  /** It waits for an upstream with a free place. */
  | { type: 'placing' }
  /** An upstream was asked, and its answer has not begun. */
  | { type: 'asked'; placed: Placed }
  | { type: 'answering'; placed: Placed }
  /** The upstream has failed, and its place is free. Either another is asked, or the caller gets the error. */
  | { type: 'failed' }
  | { type: 'ended' }

type CallOptions = Omit<Placing, 'tried' | 'isContinuation'> & {
  placement: Placement
  retries: RetryBudget
  monotonicMs(): number
}

/** Further attempts at other upstreams, whether something was sent or not. */
const maxRetries = 3

/** One request at as many upstreams as it takes, one after the other. */
export class PoolCall {
  readonly #options: CallOptions
  /** Upstreams that have failed this request. */
  readonly #tried = new Set<string>()
  #state: CallState = { type: 'placing' }
  #retryCount = 0

  constructor(options: CallOptions) {
    this.#options = options
    options.retries.earn()
  }

  /** Rejects if no upstream can be used, or with the signal's reason. */
  async place(isContinuation: boolean, signal: AbortSignal): Promise<PoolMember> {
    const { placement, ...placing } = this.#options
    const placed = await placement.place({ ...placing, tried: this.#tried, isContinuation }, signal)
    this.#state = { type: 'asked', placed }
    return placed.member
  }

  get hasBegun(): boolean {
    return this.#state.type === 'answering'
  }

  /** `isWhole`: all of the answer is there. */
  begin(isWhole: boolean): void {
    if (this.#state.type !== 'asked') return
    const { placed } = this.#state
    placed.use.end({ type: 'began', isWhole })
    this.#state = { type: 'answering', placed }
  }

  /** The upstream has answered completely, with so many tokens. */
  answered(tokens: number): void {
    if (this.#state.type === 'answering') this.#state.placed.use.answered(tokens)
  }

  /** What the error says about the upstream, which gets no more of this request. */
  fail(error: unknown): UpstreamFailure {
    const failure = classifyFailure(error)
    this.#release((use) => use.end(failure.outcome))
    this.#state = { type: 'failed' }
    return failure
  }

  /** The member is not asked again, as long as another can be. */
  exclude({ name }: PoolMember): void {
    this.#tried.add(name)
  }

  /** If all have failed it once, any but the last may try again. */
  allowAgain(last: PoolMember): void {
    if (this.#hasCandidate()) return
    for (const name of this.#tried) if (name !== last.name) this.#tried.delete(name)
  }

  /** After a failure: whether another upstream is asked. */
  retry(): boolean {
    const { retries, monotonicMs } = this.#options
    const mayRetry = this.#retryCount < maxRetries && this.#hasCandidate() && retries.spend(monotonicMs())
    if (!mayRetry) return false
    this.#retryCount += 1
    this.#state = { type: 'placing' }
    return true
  }

  /** The attempt is over, whatever has happened. A caller that leaves in the middle says nothing bad about the upstream. */
  leave(): void {
    if (this.#state.type === 'placing') return
    const hasBegun = this.#state.type === 'answering'
    this.#release((use) => {
      if (hasBegun) use.end({ type: 'answered' })
    })
    this.#state = { type: 'ended' }
  }

  #release(end: (use: Placed['use']) => void): void {
    if (this.#state.type !== 'asked' && this.#state.type !== 'answering') return
    const { use } = this.#state.placed
    end(use)
    use.release()
  }

  #hasCandidate(): boolean {
    const { placement, accepts } = this.#options
    return placement.hasCandidate({ tried: this.#tried, accepts })
  }
}
