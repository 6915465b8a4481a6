/**
 * Several upstreams that serve one model, as one engine. Requests go to the upstream with the least to do, or to one that
 * has their beginning in its cache; the failure of an upstream is hidden by another where that can be done honestly. Members
 * may change while answers run.
 */
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type {
  AnswerRoute,
  Conversation,
  Engine,
  EngineState,
  PreparedPrompt,
  ServedModel,
} from '../../engine/contract.ts'
import { type AnswerFromPoolOptions, answerFromPool } from './answer-from-pool.ts'
import { embedFromPool } from './embed-from-pool.ts'
import { createOpenedEngine } from './opened-engine.ts'
import { createPlacement, type Placement } from './placement.ts'
import { acceptsRequest, createPoolMember, memberIdentity, type PoolEntry, type PoolMember } from './pool-member.ts'
import { createRetryBudget } from './retry-budget.ts'
import { sharedModel } from './shared-model.ts'
import type { UpstreamState } from './upstream-state.ts'

export interface UpstreamPool extends Engine {
  /** Replaces the members. Without any, requests are refused. Running answers continue; a removed upstream is closed after its last one. */
  setEntries(entries: readonly PoolEntry[]): void
  /** Decides which member gets a request. */
  readonly placement: Placement
}

export type UpstreamPoolOptions = {
  entries: readonly PoolEntry[]
  /** The model before there was the first member. */
  unserved?: ServedModel
  openEngine(entry: PoolEntry): Engine
  /** What all pools share about an upstream. */
  stateOf(entry: PoolEntry): UpstreamState
  /** More or fewer upstreams can be used, so that `slots` has changed. */
  onResize(slots: number): void
  /** By default it is decided here. */
  openPlacement?(members: () => readonly PoolMember[]): Placement
  clock: Clock
  log: Log
  random?: () => number
}

export const createUpstreamPool = (options: UpstreamPoolOptions): UpstreamPool => {
  const { openEngine, stateOf, onResize, clock, log, random = Math.random } = options
  let members: readonly PoolMember[] = []
  let model = options.unserved ?? null
  let state: EngineState = 'ready'
  let slots = 0
  let unsubscribe: readonly (() => void)[] = []
  const placement = options.openPlacement?.(() => members) ?? createPlacement({ members: () => members, random, clock })
  const retries = createRetryBudget(0)

  const changed = (): void => {
    const width = placement.width()
    if (width !== slots) {
      slots = width
      onResize(width)
    }
    if (placement.waiting > 0) placement.wake()
  }
  const setEntries = (entries: readonly PoolEntry[]): void => {
    const before = members
    members = entries.map((entry) => {
      const same = before.find(
        (member) => member.name === entry.upstream.name && member.identity === memberIdentity(entry),
      )
      return createPoolMember(entry, same?.opened ?? createOpenedEngine(openEngine(entry)), stateOf(entry))
    })
    if (members.length > 0) model = sharedModel(listOpen(members).map(({ engine }) => engine.model))
    for (const { opened } of before) if (!members.some((member) => member.opened === opened)) opened.retire()
    for (const end of unsubscribe) end()
    unsubscribe = members.map((member) => member.state.subscribe(changed))
    retries.resize(Math.max(0, ...members.map(({ maxInFlight }) => maxInFlight)))
    changed()
  }
  const pool = { placement, retries, clock, log }
  setEntries(options.entries)
  return {
    get model() {
      if (model === null) throw new Error('a pool has at least one upstream')
      return model
    },
    get slots() {
      return slots
    },
    state: () => state,
    setEntries,
    placement,
    async prepare(conversation, signal) {
      const first = members.find(({ isDraining, engine }) => !isDraining && acceptsRequest(engine, conversation))
      if (first === undefined) throw ApiError.of('model_unavailable', { model: model?.id ?? '' })
      return preparePooled(conversation, first, await first.engine.prepare(conversation, signal), pool)
    },
    async prepareInputs(inputs, signal, caller) {
      const first = members.find(({ isDraining, engine }) => !isDraining && engine.prepareInputs !== undefined)
      const counted = await first?.engine.prepareInputs?.(inputs, signal, caller)
      if (counted === undefined) throw ApiError.of('model_unavailable', { model: model?.id ?? '' })
      return embedFromPool({
        ...{ placement, retries, inputs, caller, promptTokens: counted.promptTokens },
        onRetry: ({ name }) => log.warn('upstream_retry', { upstream: name, sentTokens: 0 }),
        monotonicMs: clock.monotonicMs,
      })
    },
    async close() {
      state = 'stopped'
      for (const end of unsubscribe) end()
      await Promise.all(members.map(({ engine }) => engine.close()))
    },
  }
}

type PoolParts = Pick<AnswerFromPoolOptions, 'placement' | 'retries'> & Pick<UpstreamPoolOptions, 'clock' | 'log'>

/** A prompt that `first` has prepared, and that any member can answer. */
const preparePooled = (
  conversation: Conversation,
  first: PoolMember,
  prompt: PreparedPrompt,
  { placement, retries, clock, log }: PoolParts,
): PreparedPrompt => {
  const route: AnswerRoute = { upstreams: [], attempts: 0, isContinued: false }
  return {
    promptTokens: prompt.promptTokens,
    ...(prompt.countedTokens === undefined ? {} : { countedTokens: prompt.countedTokens }),
    promptTokenIds: prompt.promptTokenIds,
    route,
    generate: (sampling, signal) =>
      answerFromPool({
        ...{ placement, retries, conversation, sampling, route, signal },
        prepare: (member) => (member.engine === first.engine ? prompt : member.engine.prepare(conversation, signal)),
        onRetry: ({ name }, sentTokens) => log.warn('upstream_retry', { upstream: name, sentTokens }),
        monotonicMs: clock.monotonicMs,
      }),
  }
}

/** Those that get new requests; all of them if none does. */
const listOpen = (members: readonly PoolMember[]): readonly PoolMember[] => {
  const open = members.filter(({ isDraining }) => !isDraining)
  return open.length === 0 ? members : open
}
