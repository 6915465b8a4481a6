import type { NumberedEvent } from './choice.ts'

/** Gives back a place on the engine. */
export type GiveBack = () => void
type Choice = AsyncGenerator<NumberedEvent, void>
type Running = { choice: Choice; step: Promise<Stepped>; giveBack: GiveBack | null }
type Stepped = { number: number; result: IteratorResult<NumberedEvent, void> }

type InterleaveOptions = {
  count: number
  open(number: number): Choice
  /** One more place on the engine, if one is free and nobody waits for it. */
  tryTake(): GiveBack | null
}

/**
 * Runs the choices of one request on the place it has, and beside each other on places that are free. Each of them takes
 * its next step only once the one before was read, so that a slow reader slows them down.
 */
export async function* interleave({ count, open, tryTake }: InterleaveOptions): Choice {
  const running = new Map<number, Running>()
  let begun = 0
  const step = async (number: number, choice: Choice): Promise<Stepped> => ({ number, result: await choice.next() })
  const begin = (giveBack: GiveBack | null): void => {
    const choice = open(begun)
    running.set(begun, { choice, step: step(begun, choice), giveBack })
    begun += 1
  }
  const fill = (): void => {
    if (running.size === 0 && begun < count) begin(null)
    while (begun < count) {
      const giveBack = tryTake()
      if (giveBack === null) return
      begin(giveBack)
    }
  }
  try {
    fill()
    while (running.size > 0) {
      const { number, result } = await Promise.race([...running.values()].map((one) => one.step))
      const one = running.get(number)
      if (one === undefined) throw new Error('a choice took a step after its end')
      if (result.done) {
        running.delete(number)
        one.giveBack?.()
        fill()
        continue
      }
      yield result.value
      one.step = step(number, one.choice)
    }
  } finally {
    for (const { step, choice, giveBack } of running.values()) {
      // What it was doing is broken off; its own failure is not the one that ended the others.
      step.catch(() => {})
      await choice.return()
      giveBack?.()
    }
  }
}
