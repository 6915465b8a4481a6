type ReadAheadOptions<Item> = {
  /** The signal is aborted when nobody reads any more. */
  open(signal: AbortSignal): AsyncIterable<Item>
  sizeOf(item: Item): number
  /** That many bytes are waiting from now on. False if that is too many: the source waits until the reader has read some. */
  hold(bytes: number): boolean
  signal: AbortSignal
  /** The source has ended or failed. Items may still be waiting to be read. */
  onEnd(): void
}

/**
 * Reads a source at its own pace and passes it on at the reader's. The engine's slot is free with its last token, however
 * slowly a client reads. What waits in between is bounded: if there is no space for more, the source waits for the reader.
 */
export async function* readAhead<Item>(options: ReadAheadOptions<Item>): AsyncGenerator<Item, void> {
  const { sizeOf, hold } = options
  const queue = createQueue<Item>()
  const itemAdded = createNotifier()
  const spaceFreed = createNotifier()
  const leaving = new AbortController()
  let bytes = 0
  let isFull = false
  const source: { state: 'open' | 'ended' | 'failed'; error: unknown } = { state: 'open', error: null }

  const readSource = async (): Promise<void> => {
    try {
      for await (const item of options.open(AbortSignal.any([options.signal, leaving.signal]))) {
        queue.put(item)
        bytes += sizeOf(item)
        isFull = !hold(bytes)
        itemAdded.notify()
        while (isFull && !leaving.signal.aborted) await spaceFreed.notified()
        if (leaving.signal.aborted) break
      }
      source.state = 'ended'
    } catch (error) {
      Object.assign(source, { state: 'failed', error })
    } finally {
      options.onEnd()
      itemAdded.notify()
    }
  }
  const reading = readSource()
  try {
    for (;;) {
      const item = queue.take()
      if (item === undefined) {
        if (source.state === 'failed') throw source.error
        if (source.state === 'ended') return
        await itemAdded.notified()
        continue
      }
      bytes -= sizeOf(item)
      // One more item always fits into an empty queue, or a single large one would block itself.
      const fits = hold(bytes) || queue.isEmpty()
      if (isFull && fits) {
        isFull = false
        spaceFreed.notify()
      }
      yield item
    }
  } finally {
    leaving.abort(new Error('nobody reads any more'))
    spaceFreed.notify()
    await reading
    hold(0)
  }
}

/** First in, first out; taking an item costs the same however many are waiting. */
const createQueue = <Item>() => {
  let items: Item[] = []
  let first = 0
  return {
    put: (item: Item): void => void items.push(item),
    isEmpty: (): boolean => first === items.length,
    take(): Item | undefined {
      const item = items[first]
      first += 1
      if (first >= items.length) {
        items = []
        first = 0
      }
      return item
    },
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
