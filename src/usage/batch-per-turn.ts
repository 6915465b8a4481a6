/** Batches all items of one turn of the event loop into one call. Each caller gets the outcome of that call. */
export const batchPerTurn = <Item>(write: (items: Item[]) => Promise<void>): ((item: Item) => Promise<void>) => {
  let items: Item[] = []
  let written: Promise<void> | null = null
  const writeAll = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve))
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
