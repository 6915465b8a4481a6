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
  /**
   * Between two choices: hands the request's own place to an organisation that holds none and waits for another one. Null
   * where nobody is owed it. The signal ends the wait.
   */
  yieldOwn(signal: AbortSignal): Promise<void> | null
  /** The request's own place is not needed any more, though other choices still run. */
  releaseOwn(): void
}

/**
 * Runs the choices of one request on the place it has, and beside each other on places that are free. Each of them takes
 * its next step only once the one before was read.
 */
export async function* interleave(options: InterleaveOptions): Choice {
  const { count, open, tryTake } = options
  const running = new Map<number, Running>()
  const ending = new AbortController()
  const own = ownPlace()
  let regaining: Promise<null> | null = null
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
  /** The first choice begins at once: the request has only just got its place. */
  const yieldOwn = (): void => {
    const regained = begun === 0 || begun === count || !own.isFree ? null : options.yieldOwn(ending.signal)
    if (regained === null) return
    const giveBack = own.tryTake()
    regaining = regained.then(() => {
      giveBack?.()
      regaining = null
      return null
    })
  }
  const fill = (): void => {
    yieldOwn()
    while (begun < count) {
      const giveBack = own.tryTake() ?? tryTake()
      if (giveBack === null) return
      begin(giveBack)
    }
    if (own.isFree) options.releaseOwn()
  }
  try {
    fill()
    while (running.size > 0 || regaining !== null) {
      const steps = [...running.values()].map((one) => one.step)
      const stepped = await Promise.race<Stepped | null>(regaining === null ? steps : [...steps, regaining])
      if (stepped === null) {
        fill()
        continue
      }
      const { number, result } = stepped
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
    await Promise.allSettled([regaining, ...[...running.values()].map(breakOff)])
  }
}

/** The place that the request has anyway: one choice at a time runs on it. */
const ownPlace = () => {
  let isFree = true
  return {
    get isFree() {
      return isFree
    },
    tryTake(): GiveBack | null {
      if (!isFree) return null
      isFree = false
      return () => {
        isFree = true
      }
    },
  }
}

/** How it ends is nobody's concern: it is not what ended the others. */
const breakOff = async ({ choice, step, giveBack }: Running): Promise<void> => {
  await Promise.allSettled([step, choice.return()])
  giveBack()
}
