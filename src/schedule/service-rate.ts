/** How much cost the engine works off in a millisecond while it is busy, over about the last minute of such time. */
export interface ServiceRate {
  /** Time has passed; `isBusy`: the engine was busy until now. */
  advance(nowMs: number, isBusy: boolean): void
  add(cost: number): void
  /** With work that is not added yet; null until enough was measured. */
  costPerMs(unfinishedCost: number): number | null
}

const halfLifeMs = 30_000
/** Less than this says nothing about the next minute. */
const leastMeasuredMs = 10_000

export const createServiceRate = (): ServiceRate => {
  let lastMs: number | null = null
  let busyMs = 0
  let cost = 0
  return {
    advance(nowMs, isBusy) {
      const passedMs = nowMs - (lastMs ?? nowMs)
      lastMs = nowMs
      if (!isBusy) return
      const kept = 0.5 ** (passedMs / halfLifeMs)
      busyMs = busyMs * kept + passedMs
      cost *= kept
    },
    add(more) {
      cost += more
    },
    costPerMs: (unfinishedCost) => (busyMs >= leastMeasuredMs && cost > 0 ? (cost + unfinishedCost) / busyMs : null),
  }
}
