/**
 * Reads a source at the source's own pace and hands it on at the reader's. The engine is done with its work, and its slot is
 * free, when its last token is there, however slowly a client takes the answer. What waits in between is bounded: where
 * there is no room for more, the source waits for the reader.
 */
type ReadAheadOptions<Item> = {
  /** The signal is aborted when nobody reads any more. */
  open(signal: AbortSignal): AsyncIterable<Item>
  sizeOf(item: Item): number
  /** So many bytes wait from now on. False when that is too much: nothing more is read until the reader has taken some. */
  hold(bytes: number): boolean
  signal: AbortSignal
  /** The source has ended, or has failed. What it said may still be waiting to be read. */
  onEnd(): void
}

export async function* readAhead<Item>(options: ReadAheadOptions<Item>): AsyncGenerator<Item, void> {
  const { sizeOf, hold } = options
  const queue = createQueue<Item>()
  const reader = createBell()
  const room = createBell()
  const leaving = new AbortController()
  let bytes = 0
  let isFull = false
  const source: { isEnded: boolean; failure: { error: unknown } | null } = { isEnded: false, failure: null }

  const read = async (): Promise<void> => {
    try {
      for await (const item of options.open(AbortSignal.any([options.signal, leaving.signal]))) {
        queue.put(item)
        bytes += sizeOf(item)
        isFull = !hold(bytes)
        reader.ring()
        while (isFull && !leaving.signal.aborted) await room.rung()
        if (leaving.signal.aborted) break
      }
    } catch (error) {
      source.failure = { error }
    } finally {
      source.isEnded = true
      options.onEnd()
      reader.ring()
    }
  }
  const reading = read()
  try {
    for (;;) {
      const item = queue.take()
      if (item === undefined) {
        if (source.isEnded) break
        await reader.rung()
        continue
      }
      bytes -= sizeOf(item)
      // The last one may always be followed by one more, or a single large one would be in its own way.
      const fits = hold(bytes) || queue.isEmpty()
      if (isFull && fits) {
        isFull = false
        room.ring()
      }
      yield item
    }
    if (source.failure !== null) throw source.failure.error
  } finally {
    leaving.abort(new Error('nobody reads any more'))
    room.ring()
    await reading
    hold(0)
  }
}

/** First in, first out; taking one costs the same however many wait. */
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

/** One side waits until the other rings. A ring that nobody waits for is remembered. */
const createBell = () => {
  let isRung = false
  let wake: (() => void) | null = null
  return {
    ring(): void {
      isRung = true
      wake?.()
    },
    async rung(): Promise<void> {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      wake = null
      isRung = false
    },
  }
}
