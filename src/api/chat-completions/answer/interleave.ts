import type { NumberedEvent } from './choice.ts'

/** Gives back a place on the engine. */
export type GiveBack = () => void
type Choice = AsyncGenerator<NumberedEvent, void>
type Running = { choice: Choice; step: Promise<Stepped>; giveBack: GiveBack }
type Stepped = { number: number; result: IteratorResult<NumberedEvent, void> }

type InterleaveOptions = {
  count: number
  /** The signal breaks it off when nobody waits for it any more. */
  open(number: number, signal: AbortSignal): Choice
  /** One more place on the engine, if one is free and nobody waits for it. */
  tryTake(): GiveBack | null
}

/**
 * Runs the choices of one request on the place it has, and beside each other on places that are free. Each of them takes
 * its next step only once the one before was read, so that a slow reader slows them down.
 */
export async function* interleave({ count, open, tryTake }: InterleaveOptions): Choice {
  const running = new Map<number, Running>()
  const ending = new AbortController()
  const tryTakeOwn = ownPlace()
  let begun = 0
  const step = async (number: number, choice: Choice): Promise<Stepped> => ({ number, result: await choice.next() })
  const begin = (giveBack: GiveBack): void => {
    try {
      const choice = open(begun, ending.signal)
      running.set(begun, { choice, step: step(begun, choice), giveBack })
      begun += 1
    } catch (error) {
      giveBack()
      throw error
    }
  }
  const fill = (): void => {
    while (begun < count) {
      const giveBack = tryTakeOwn() ?? tryTake()
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
        one.giveBack()
        fill()
        continue
      }
      yield result.value
      one.step = step(number, one.choice)
    }
  } finally {
    // A choice that waits for its engine would not hear of its end before the engine speaks again.
    ending.abort(new Error('the other choices have ended'))
    await Promise.all([...running.values()].map(breakOff))
  }
}

/** The place that the request has anyway: one choice at a time runs on it. */
const ownPlace = (): (() => GiveBack | null) => {
  let isFree = true
  return () => {
    if (!isFree) return null
    isFree = false
    return () => {
      isFree = true
    }
  }
}

/** How it ends is nobody's concern: it is not what ended the others. */
const breakOff = async ({ choice, step, giveBack }: Running): Promise<void> => {
  await Promise.allSettled([step, choice.return()])
  giveBack()
}
