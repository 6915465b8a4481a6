import type { SlotShares } from './slot-shares.ts'
import { turnCost } from './turn.ts'

/** `counter`: the virtual token counter of its owner. */
export type Contender = { readonly ownerId: string; readonly weight: number; readonly counter: number }

type ExchangeOptions<One extends Contender> = {
  /** Those that can be paused. */
  running: readonly One[]
  isTurnOver(one: One): boolean
  /** The next of each owner, the one that goes first at the front. */
  waiting: readonly One[]
  /** It has been paused for long. */
  isOverdue(one: One): boolean
  slots: Pick<SlotShares, 'heldBy' | 'mayExchangeFor'>
}

/**
 * Chooses the answer that is paused and the request that gets its slot; null if nobody should. An owner without a slot gets
 * that of an owner with the most; one with a single slot keeps it if another has several, whose turns will be over, too. Among those that have some, a slot goes to an owner that has fewer and was served less, by
 * more than a turn. An answer that was paused for long takes the place of another one of its owner.
 */
export const chooseExchange = <One extends Contender>({
  running,
  isTurnOver,
  waiting,
  isOverdue,
  slots,
}: ExchangeOptions<One>): { paused: One; next: One } | null => {
  const heldBy: HeldBy = (ownerId) => slots.heldBy(ownerId)
  const most = (some: readonly One[]): One | null =>
    some.reduce<One | null>((best, one) => (best === null || exceeds(one, best, heldBy) ? one : best), null)
  const over = running.filter(isTurnOver)
  const without = waiting.find(({ ownerId }) => heldBy(ownerId) === 0)
  if (without !== undefined) {
    const hasSeveral = ({ ownerId }: One): boolean => heldBy(ownerId) > 1
    const paused = most(running.some(hasSeveral) ? over.filter(hasSeveral) : over)
    return paused === null ? null : { paused, next: without }
  }
  for (const next of waiting) {
    const own = over.filter((one) => one.ownerId === next.ownerId && one !== next)
    const others = over.filter((one) => one.ownerId !== next.ownerId && isOwed(next, one, heldBy))
    const paused = (isOverdue(next) ? own[0] : undefined) ?? (slots.mayExchangeFor(next.ownerId) ? most(others) : null)
    if (paused !== null) return { paused, next }
  }
  return null
}

type HeldBy = SlotShares['heldBy']

const exceeds = (one: Contender, other: Contender, heldBy: HeldBy): boolean => {
  const more = heldBy(one.ownerId) / one.weight - heldBy(other.ownerId) / other.weight
  return more === 0 ? one.counter > other.counter : more > 0
}

const isOwed = (waiting: Contender, running: Contender, heldBy: HeldBy): boolean =>
  (heldBy(waiting.ownerId) + 1) / waiting.weight <= heldBy(running.ownerId) / running.weight &&
  waiting.counter + turnCost / running.weight < running.counter
