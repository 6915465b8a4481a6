/** Batches of this turn of the event loop that wait for its end. */
let waiting: (() => void)[] = []

/**
 * All batches of a turn are written in one callback: so what they ask of the store in the same step goes there as one message, and its
 * thread is woken once.
 */
const atEndOfTurn = (resume: () => void): void => {
  if (waiting.length === 0)
    setImmediate(() => {
      const due = waiting
      waiting = []
      for (const one of due) one()
    })
  waiting.push(resume)
}

/** Batches all items of one turn of the event loop into one call. Each caller gets the outcome of that call. */
export const batchPerTurn = <Item>(write: (items: Item[]) => Promise<void>): ((item: Item) => Promise<void>) => {
  let items: Item[] = []
  let written: Promise<void> | null = null
  const writeAll = async (): Promise<void> => {
    await new Promise<void>(atEndOfTurn)
    const batch = items
    items = []
    written = null
    await write(batch)
  }
  return (item) => {
    items.push(item)
    written ??= writeAll()
    return written
  }
}
