/** Passes messages to one reader, in order, all that have arrived at once. After `fail` it still receives earlier messages. */
export interface Inbox<Item> {
  put(item: Item): void
  fail(error: unknown): void
  /** At least one. */
  takeAll(): Promise<Item[]>
}

export const createInbox = <Item>(): Inbox<Item> => {
  let items: Item[] = []
  let failure: { error: unknown } | undefined
  let wake = (): void => {}
  return {
    put(item) {
      items.push(item)
      wake()
    },
    fail(error) {
      failure ??= { error }
      wake()
    },
    async takeAll() {
      if (items.length === 0 && !failure) await new Promise<void>((resolve) => (wake = resolve))
      const taken = items
      items = []
      if (taken.length === 0 && failure) throw failure.error
      return taken
    },
  }
}
