/** Gathers what comes within one turn of the event loop into one call, and answers each with how that ended. */
export const gather = <Item>(write: (items: Item[]) => Promise<void>): ((item: Item) => Promise<void>) => {
  let items: Item[] = []
  let written: Promise<void> | null = null
  const writeAll = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    const gathered = items
    items = []
    written = null
    await write(gathered)
  }
  return (item) => {
    items.push(item)
    written ??= writeAll()
    return written
  }
}
