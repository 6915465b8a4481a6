/** Passes messages to one reader, in order. After `fail` the reader still receives earlier messages. */
export interface Inbox<Item> {
  put(item: Item): void
  fail(error: unknown): void
  take(): Promise<Item>
}

export const createInbox = <Item>(): Inbox<Item> => {
  const items: Item[] = []
  let failure: { error: unknown } | undefined
  let waiting: PromiseWithResolvers<Item> | undefined
  const settle = (deliver: (reader: PromiseWithResolvers<Item>) => void): boolean => {
    if (!waiting) return false
    const reader = waiting
    waiting = undefined
    deliver(reader)
    return true
  }
  return {
    put(item) {
      if (!settle((reader) => reader.resolve(item))) items.push(item)
    },
    fail(error) {
      failure ??= { error }
      settle((reader) => reader.reject(error))
    },
    async take() {
      const item = items.shift()
      if (item !== undefined) return item
      if (failure) throw failure.error
      waiting = Promise.withResolvers<Item>()
      return waiting.promise
    },
  }
}
