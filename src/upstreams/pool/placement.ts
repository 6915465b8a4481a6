import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { PauseReason } from '../../config/upstream-names.ts'
import { chooseUpstream, isWithinBound } from './choose-upstream.ts'
import { createPlacementQueue } from './placement-queue.ts'
import type { PoolMember } from './pool-member.ts'
import { createPrefixAffinity } from './prefix-affinity.ts'
import type { UpstreamUse } from './upstream-state.ts'

/** What is placed: one answer, or the rest of one. */
export type Placing = {
  ownerId: string
  /** Prompt and longest answer. */
  tokens: number
  /** See `computePrefixKeys`. */
  prefixKeys: readonly string[]
  /** Upstreams that have failed this request. */
  tried: ReadonlySet<string>
  /** Whether a member accepts the request at all. */
  accepts(member: PoolMember): boolean
  /** Prefers upstreams that continue a message exactly. */
  isContinuation: boolean
}

type Choice = Pick<Placing, 'tried' | 'accepts'>
export type Placed = { member: PoolMember; use: UpstreamUse }

/** Decides which member gets a request. If all that could are full, the request waits for a free place. */
export interface Placement {
  /** Rejects with an `ApiError` if no member can be used, or with the signal's reason. */
  place(placing: Placing, signal: AbortSignal): Promise<Placed>
  /** A member that could get it, full or not. */
  hasCandidate(choice: Choice): boolean
  /** How many requests the members may have in flight now; at least 1. */
  width(): number
  readonly waiting: number
  /** Places may have been freed: requests that wait look again, those of owners with few places first. */
  wake(): void
}

type PlacementOptions = { members(): readonly PoolMember[]; random(): number; clock: Clock }

/** While no upstream can be used, a request waits this long for the end of a pause. */
const longestPatienceMs = 5000

export const createPlacement = ({ members, random, clock }: PlacementOptions): Placement => {
  const affinity = createPrefixAffinity()
  const queue = createPlacementQueue()

  const untried = ({ tried, accepts }: Choice): readonly PoolMember[] =>
    members().filter((member) => !member.isDraining && !tried.has(member.name) && accepts(member))
  /** Null: a pause that ends soon is worth waiting for. */
  const listCandidates = (choice: Choice, patienceMs: number): readonly PoolMember[] | null => {
    const open = untried(choice)
    const usable = open.filter(({ state }) => state.isUsable())
    if (usable.length > 0) return usable
    // With only one upstream, its own error tells the caller more.
    if (open.length === 1 && members().filter(choice.accepts).length === 1) return open
    if (open.some(({ state }) => state.health().pauseMs < patienceMs)) return null
    // A request that only failing upstreams could answer is still sent to one, unless they asked us to wait.
    return open.filter(({ state }) => isLastResort(state.health().reason))
  }
  const choose = (placing: Placing, candidates: readonly PoolMember[]): PoolMember | null => {
    const free = candidates.filter(({ state }) => !state.isFull())
    const exact = placing.isContinuation ? free.filter(({ isExact }) => isExact) : []
    const among = exact.length > 0 ? exact : free
    if (among.length < 2) return among[0] ?? null
    const { prefixKeys, tokens } = placing
    const isAllowed = (cacheName: string): boolean => {
      const member = among.find((one) => cacheNameOf(one) === cacheName)
      return member !== undefined && isWithinBound(member, among, tokens)
    }
    const cached = prefixKeys.length === 0 ? null : affinity.find(prefixKeys, isAllowed)
    return among.find((one) => cacheNameOf(one) === cached) ?? chooseUpstream(among, random)
  }
  return {
    async place(placing, signal) {
      const arrival = queue.arrive()
      const impatientMs = clock.monotonicMs() + longestPatienceMs
      for (;;) {
        signal.throwIfAborted()
        const candidates = listCandidates(placing, impatientMs - clock.monotonicMs())
        if (candidates?.length === 0) throw unavailable(untried(placing))
        const member = candidates === null ? null : choose(placing, candidates)
        if (member !== null) {
          if (placing.prefixKeys.length > 0) affinity.remember(placing.prefixKeys, cacheNameOf(member))
          return { member, use: withPlace(member.use(placing.tokens), queue.take(placing.ownerId)) }
        }
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            cancel()
            signal.removeEventListener('abort', wake)
            resolve()
          }
          const leftMs = impatientMs - clock.monotonicMs()
          const cancel = candidates === null ? clock.after(Math.max(1, leftMs), wake) : () => {}
          queue.wait({ ownerId: placing.ownerId, arrival, wake })
          signal.addEventListener('abort', wake, { once: true })
        })
      }
    },
    hasCandidate: (choice) => listCandidates(choice, longestPatienceMs)?.length !== 0,
    width: () => countPlaces(members()),
    get waiting() {
      return queue.size
    },
    wake: queue.wakeAll,
  }
}

/** An engine node that has got other weights has none of the prompts in its cache that it had read with those before. */
const cacheNameOf = ({ name, engine }: PoolMember): string => `${name} ${engine.model.weightsId ?? ''}`

/** How many requests can be answered at once. One that is being tried again after a pause has a single place. */
const countPlaces = (members: readonly PoolMember[]): number => {
  const open = members.filter(({ isDraining }) => !isDraining)
  const closed = open.filter(({ state }) => state.health().state === 'closed')
  const trying = open.filter(({ state }) => state.health().state === 'half_open').length
  const sum = (some: readonly PoolMember[]): number => some.reduce((total, { state }) => total + state.limit, 0)
  return Math.max(1, closed.length + trying === 0 ? sum(open) : sum(closed) + trying)
}

/** The place of its owner is given back with the use. */
const withPlace = ({ end, answered, release }: UpstreamUse, giveBack: () => void): UpstreamUse => {
  let isReleased = false
  return {
    end,
    answered,
    release() {
      // Before others look for a place.
      if (!isReleased) giveBack()
      isReleased = true
      release()
    },
  }
}

const isLastResort = (reason: PauseReason | null): boolean => reason === 'failures' || reason === 'canary'

const unavailable = (members: readonly PoolMember[]): ApiError => {
  const paused = members.filter(({ state }) => state.health().reason === 'busy')
  if (paused.length === 0) return ApiError.of('upstream_failed', {}, { cause: 'no upstream is available' })
  const retryAfterMs = Math.max(1000, Math.min(...paused.map(({ state }) => state.health().pauseMs)))
  return ApiError.of('upstream_busy', {}, { retryAfterMs: Math.min(retryAfterMs, 60_000) })
}
