import { createPauseSwitch, type PauseSwitch } from '../../../base/pause-switch.ts'
import type { NumberedEvent } from './choice.ts'

/** Gives back a slot of the engine. */
export type Release = () => void
type Choice = Required<Pick<AsyncIterator<NumberedEvent, void, void>, 'next' | 'return'>>
type Running = { choice: Choice; step: Promise<Step>; release: Release }
type Step = { index: number; result: IteratorResult<NumberedEvent, void> }

type InterleaveOptions = {
  count: number
  /**
   * The signal aborts the choice when nobody reads it any more. `pausing` is the pause switch of the slot it runs on.
   */
  open(index: number, signal: AbortSignal, pausing?: PauseSwitch): Choice
  /** Another slot, if one is free and nobody waits for it. */
  tryTake(pausing?: PauseSwitch): Release | null
  /** Resolves when it is worth trying again; null: not before a choice has ended. */
  takeLater?: (() => Promise<null> | null) | undefined
  /** The pause switch of the request's own slot, if choices can be paused. */
  pausing?: PauseSwitch | undefined
  /**
   * Between two choices: gives the request's own slot to an organisation that has none, and waits for the next one. Null if
   * nobody is entitled to it. The signal ends the wait.
   */
  yieldOwn(signal: AbortSignal): Promise<void> | null
  /** The request's own slot is not needed any more, although other choices are running. */
  releaseOwn(): void
}

/** Runs the choices of one request on its own slot and, in parallel, on free ones. Each advances only once it has been read. */
export async function* interleave(options: InterleaveOptions): AsyncGenerator<NumberedEvent, void> {
  const { count, open, tryTake } = options
  const running = new Map<number, Running>()
  const ending = new AbortController()
  const own = createOwnSlot()
  let regaining: Promise<null> | null = null
  let begun = 0
  /** One that was regained runs a choice before it is yielded again: two requests could yield to each other for ever. */
  let isRegained = false
  const advance = async (index: number, choice: Choice): Promise<Step> => ({ index, result: await choice.next() })
  const begin = (release: Release, pausing?: PauseSwitch): void => {
    try {
      const choice = open(begun, ending.signal, pausing)
      running.set(begun, { choice, step: advance(begun, choice), release })
      begun += 1
    } catch (error) {
      release()
      throw error
    }
  }
  /** Not before the first choice: the request has only just received its slot. */
  const yieldOwn = (): void => {
    const mayYield = begun > 0 && begun < count && own.isFree && !isRegained
    isRegained = false
    const regained = mayYield ? options.yieldOwn(ending.signal) : null
    if (regained === null) return
    const release = own.tryTake()
    regaining = regained.then(() => {
      release?.()
      regaining = null
      isRegained = true
      return null
    })
  }
  const fillSlots = (): void => {
    yieldOwn()
    while (begun < count) {
      const ownRelease = own.tryTake()
      const pausing = ownRelease === null && options.pausing !== undefined ? createPauseSwitch() : options.pausing
      const release = ownRelease ?? tryTake(pausing)
      if (release === null) return
      begin(release, pausing)
    }
    if (own.isFree) options.releaseOwn()
  }
  try {
    fillSlots()
    while (running.size > 0 || regaining !== null) {
      const steps: Promise<Step | null>[] = [...running.values()].map(({ step }) => step)
      const later = begun < count ? (options.takeLater?.() ?? null) : null
      if (later !== null) steps.push(later)
      if (regaining !== null) steps.push(regaining)
      const step = await Promise.race(steps)
      if (step === null) {
        fillSlots()
        continue
      }
      const { index, result } = step
      const one = running.get(index)
      if (one === undefined) throw new Error('a choice continued after its end')
      if (result.done) {
        running.delete(index)
        one.release()
        fillSlots()
        continue
      }
      yield result.value
      one.step = advance(index, one.choice)
    }
  } finally {
    // A choice that waits for its engine would otherwise not end before the next event of the engine.
    ending.abort(new Error('the other choices have ended'))
    await Promise.allSettled([regaining, ...[...running.values()].map(end)])
  }
}

/** The slot that the request already has: it runs one choice at a time. */
const createOwnSlot = () => {
  let isFree = true
  return {
    get isFree() {
      return isFree
    },
    tryTake(): Release | null {
      if (!isFree) return null
      isFree = false
      return () => {
        isFree = true
      }
    },
  }
}

/** Its own failure is ignored, because another failure ended the request. */
const end = async ({ choice, step, release }: Running): Promise<void> => {
  await Promise.allSettled([step, choice.return()])
  release()
}
