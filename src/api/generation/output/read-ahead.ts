import { asBatched, type Batched, toBatches } from '../../../base/batches.ts'
import { followSignal } from '../../../base/following-signal.ts'
import { createPackedQueue } from './packed-queue.ts'

type ReadAheadOptions<Item> = {
  /** Items are plain data. The signal is aborted when nobody reads any more. */
  open(signal: AbortSignal): AsyncIterable<Item>
  measure(item: Item): number
  /**
   * Called with the number of bytes that now wait. Returns false if that is too many: the source then waits until the
   * reader has read some.
   */
  hold(bytes: number): boolean
  /** Called with the size of what was read. If it returns a promise, the source is read on once that resolves. */
  onRead(bytes: number): Promise<void> | undefined
  signal: AbortSignal
  /** The source starts waiting for the reader; `onContinue`: it stops waiting. */
  onStall?(): void
  onContinue?(): void
  /** The source has ended or failed. Items may still be waiting to be read. */
  onEnd(): void
}

/**
 * Reads a source at its own pace and passes it on at the reader's. The engine's slot is free with its last token, however
 * slowly a client reads. What waits in between is bounded: if there is no space for more, the source waits for the reader.
 */
export const readAhead = <Item>(options: ReadAheadOptions<Item>): Batched<Item> => asBatched(readBatchesAhead(options))

async function* readBatchesAhead<Item>(options: ReadAheadOptions<Item>): AsyncGenerator<readonly Item[], void> {
  const { hold } = options
  const queue = createPackedQueue<{ batch: readonly Item[]; size: number }>()
  const batchAdded = createNotifier()
  const spaceFreed = createNotifier()
  const wanted = followSignal(options.signal)
  let bytes = 0
  let isFull = false
  let isLeaving = false
  const source: { state: 'open' | 'ended' | 'failed'; error: unknown } = { state: 'open', error: null }
  const measure = (batch: readonly Item[]): number => {
    let size = 0
    for (const item of batch) size += options.measure(item)
    return size
  }

  const readSource = async (): Promise<void> => {
    try {
      for await (const batch of toBatches(options.open(wanted.signal))) {
        const size = measure(batch)
        queue.put({ batch, size }, size)
        bytes += size
        isFull = !hold(bytes)
        batchAdded.notify()
        const turn = options.onRead(size)
        if (turn !== undefined) await turn
        const hasStalled = isFull
        if (hasStalled) options.onStall?.()
        while (isFull && !isLeaving) await spaceFreed.notified()
        if (isLeaving) break
        if (hasStalled) options.onContinue?.()
      }
      source.state = 'ended'
    } catch (error) {
      source.state = 'failed'
      source.error = error
    } finally {
      wanted.release()
      options.onEnd()
      batchAdded.notify()
    }
  }
  const reading = readSource()
  try {
    for (;;) {
      const taken = queue.take()
      if (taken === undefined) {
        if (source.state === 'failed') throw source.error
        if (source.state === 'ended') return
        await batchAdded.notified()
        continue
      }
      bytes -= taken.size
      // One more batch always fits into an empty queue, or a single large one would block itself.
      const fits = hold(bytes) || queue.isEmpty()
      if (isFull && fits) {
        isFull = false
        spaceFreed.notify()
      }
      yield taken.batch
    }
  } finally {
    isLeaving = true
    if (source.state === 'open') wanted.abort(new Error('nobody reads any more'))
    spaceFreed.notify()
    await reading
    hold(0)
  }
}

/** One side waits until the other notifies it. A notification that nobody waits for is remembered. */
const createNotifier = () => {
  let isNotified = false
  let wake: (() => void) | null = null
  return {
    notify(): void {
      isNotified = true
      wake?.()
    },
    async notified(): Promise<void> {
      if (!isNotified) await new Promise<void>((resolve) => (wake = resolve))
      wake = null
      isNotified = false
    },
  }
}
