/** Runs what it is given, together with everything else that asks before the next step. */
export type StepGate = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * All conversations take their steps together: who asks during a step waits for its end, and then all who wait go at once,
 * as one batch of llama.cpp. Left to themselves two answers fall out of step; each is then a batch of its own, and as one
 * of them is always under way, a third cannot even begin until one has ended.
 */
export const createStepGate = (): StepGate => {
  const waiting: (() => void)[] = []
  let running = 0
  let opening = false
  const open = (): void => {
    opening = false
    running = waiting.length
    for (const go of waiting.splice(0)) go()
  }
  const openWhenFree = (): void => {
    if (running > 0 || waiting.length === 0 || opening) return
    opening = true
    // Whoever has just ended a step gets the chance to ask for the next one first.
    setImmediate(open)
  }
  return async (work) => {
    await new Promise<void>((go) => {
      waiting.push(go)
      openWhenFree()
    })
    try {
      return await work()
    } finally {
      running -= 1
      openWhenFree()
    }
  }
}
