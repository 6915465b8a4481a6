/** Cost that the engine completes per millisecond while busy, averaged over about the last minute of busy time. */
export interface ServiceRate {
  /** Advances the time; `isBusy`: the engine was busy until now. */
  advance(nowMs: number, isBusy: boolean): void
  add(cost: number): void
  /** Includes work that is not added yet; null until enough is measured. */
  costPerMs(unfinishedCost: number): number | null
}

const halfLifeMs = 30_000
/** Shorter measurements do not predict the next minute. */
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
