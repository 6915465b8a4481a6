import type { SlotShares } from './slot-shares.ts'
import { turnCost } from './turn.ts'

type Contender = { readonly ownerId: string; readonly weight: number }

type ExchangeOptions<One extends Contender> = {
  /** Those that can be paused. */
  running: readonly One[]
  isTurnOver(one: One): boolean
  /** The next of each owner, the one that goes first at the front. */
  waiting: readonly One[]
  /** It has been paused for long. */
  isOverdue(one: One): boolean
  /** The virtual token counter of an owner. */
  counterOf(ownerId: string): number
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
  counterOf,
  slots,
}: ExchangeOptions<One>): { paused: One; next: One } | null => {
  const heldBy = (ownerId: string): number => slots.heldBy(ownerId)
  const exceeds = (one: One, other: One): boolean => {
    const more = heldBy(one.ownerId) / one.weight - heldBy(other.ownerId) / other.weight
    return more === 0 ? counterOf(one.ownerId) > counterOf(other.ownerId) : more > 0
  }
  const max = (some: readonly One[]): One | null =>
    some.reduce<One | null>((best, one) => (best === null || exceeds(one, best) ? one : best), null)
  const isOwed = (next: One, one: One): boolean =>
    (heldBy(next.ownerId) + 1) / next.weight <= heldBy(one.ownerId) / one.weight &&
    counterOf(next.ownerId) + turnCost / one.weight < counterOf(one.ownerId)
  const over = running.filter(isTurnOver)
  const without = waiting.find(({ ownerId }) => heldBy(ownerId) === 0)
  if (without !== undefined) {
    const hasSeveral = ({ ownerId }: One): boolean => heldBy(ownerId) > 1
    const paused = max(running.some(hasSeveral) ? over.filter(hasSeveral) : over)
    return paused === null ? null : { paused, next: without }
  }
  for (const next of waiting) {
    const own = over.filter((one) => one.ownerId === next.ownerId && one !== next)
    const others = over.filter((one) => one.ownerId !== next.ownerId && isOwed(next, one))
    const paused = (isOverdue(next) ? own[0] : undefined) ?? (slots.mayExchangeFor(next.ownerId) ? max(others) : null)
    if (paused !== null) return { paused, next }
  }
  return null
}
