import { ApiError } from '../base/api-error.ts'
import { asBatched, toBatches } from '../base/batches.ts'
import type { Clock } from '../base/clock.ts'
import type { Engine, EngineEvent, PreparedInputs, PreparedPrompt } from '../engine/contract.ts'
import { createRecentCount } from './recent-count.ts'

/** What the operator sees of the requests to one upstream, of all its models together. */
export interface UpstreamTraffic {
  readonly inFlight: number
  /** Requests and errors of the last five minutes. */
  readonly recent: { readonly requests: number; readonly errors: number }
  /** Since the server has known the upstream. */
  readonly total: { readonly requests: number; readonly errors: number }
  /** When the last answer was complete; null before the first. Milliseconds since 1970. */
  readonly answeredAt: number | null
  /** Counts the answers of an engine that reaches the upstream. */
  count(engine: Engine): Engine
  /** A request that a worker sends to it begins. The returned function ends it, with whether the upstream failed it. */
  begin(): (isFailed: boolean) => void
}

export const createUpstreamTraffic = (clock: Clock): UpstreamTraffic => {
  const requests = createRecentCount(clock)
  const errors = createRecentCount(clock)
  const total = { requests: 0, errors: 0 }
  let inFlight = 0
  let answeredAt: number | null = null
  const counted = (prompt: PreparedPrompt): PreparedPrompt => ({
    ...prompt,
    generate: (sampling, signal) =>
      asBatched(tracked(toBatches(prompt.generate(sampling, signal)), signal, isAnswered)),
  })
  const countedInputs = (inputs: PreparedInputs): PreparedInputs => ({
    ...inputs,
    embed: (signal) => tracked(inputs.embed(signal), signal, () => false),
  })
  const arrived = (): void => {
    inFlight += 1
    requests.add()
    total.requests += 1
  }
  const failed = (): void => {
    errors.add()
    total.errors += 1
  }
  /** No generator: `yield*` would cost each item several turns of the microtask queue. */
  const tracked = <Item>(items: AsyncIterable<Item>, signal: AbortSignal, isLast: (item: Item) => boolean) => {
    const source = items[Symbol.asyncIterator]()
    let state: 'new' | 'open' | 'ended' = 'new'
    const end = (): void => {
      if (state === 'open') inFlight -= 1
      state = 'ended'
    }
    const passOn = (result: IteratorResult<Item, void>): IteratorResult<Item, void> => {
      if (result.done !== true) {
        // A reader asks for nothing after it.
        if (isLast(result.value)) answeredAt = clock.now()
        return result
      }
      if (state === 'open') answeredAt = clock.now()
      end()
      return result
    }
    const fail = (error: unknown): never => {
      if (state === 'open' && !signal.aborted && isUpstreamFault(error)) failed()
      end()
      throw error
    }
    return {
      next(): Promise<IteratorResult<Item, void>> {
        if (state === 'new') {
          state = 'open'
          arrived()
        }
        return source.next().then(passOn, fail)
      },
      async return(): Promise<IteratorResult<Item, void>> {
        try {
          await source.return?.()
        } finally {
          end()
        }
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  const countedEmbedding = (prepareInputs: Engine['prepareInputs']): Pick<Engine, 'prepareInputs'> =>
    prepareInputs === undefined
      ? {}
      : { prepareInputs: async (...inputs) => countedInputs(await prepareInputs(...inputs)) }
  return {
    get inFlight() {
      return inFlight
    },
    get recent() {
      return { requests: requests.count, errors: errors.count }
    },
    get total() {
      return { ...total }
    },
    get answeredAt() {
      return answeredAt
    },
    begin() {
      arrived()
      return (isFailed) => {
        inFlight -= 1
        if (isFailed) failed()
        else answeredAt = clock.now()
      }
    },
    count: (engine) => ({
      ...engine,
      get model() {
        return engine.model
      },
      prepare: async (conversation, signal) => counted(await engine.prepare(conversation, signal)),
      ...countedEmbedding(engine.prepareInputs),
    }),
  }
}

const isAnswered = (batch: readonly EngineEvent[]): boolean => batch.at(-1)?.type === 'end'

/** A request that was refused for what it contains says nothing bad about the upstream. */
const isUpstreamFault = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500
