/**
 * A stream whose items may arrive several at a time. Passing items on one by one costs turns of the microtask queue for
 * each item; a reader of `batches` pays them once per batch. Other readers can iterate over the items as usual.
 */
export interface Batched<Item> extends AsyncIterableIterator<Item, void> {
  readonly batches: BatchIterator<Item>
  return(): Promise<IteratorResult<Item, void>>
}

/** Such as an async generator. */
export interface BatchIterator<Item> extends AsyncIterable<readonly Item[]> {
  next(): Promise<IteratorResult<readonly Item[], void>>
  return(): Promise<IteratorResult<readonly Item[], void>>
}

export const asBatched = <Item>(batches: BatchIterator<Item>): Batched<Item> => {
  let batch = noItems<Item>()
  return {
    batches,
    async next() {
      for (;;) {
        const item = batch.next()
        if (item.done !== true) return item
        const { done, value } = await batches.next()
        if (done === true) return { done, value }
        batch = value.values()
      }
    },
    async return() {
      batch = noItems()
      await batches.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const noItems = <Item>(): ArrayIterator<Item> => {
  const none: Item[] = []
  return none.values()
}

/** The batches as they arrive; a stream without batches yields each item as a batch of one. */
export const toBatches = <Item>(items: AsyncIterable<Item>): AsyncIterable<readonly Item[]> =>
  isBatched(items) ? items.batches : oneByOne(items)

const isBatched = <Item>(items: AsyncIterable<Item>): items is Batched<Item> => 'batches' in items

const oneByOne = <Item>(items: AsyncIterable<Item>): AsyncIterable<readonly Item[]> => ({
  [Symbol.asyncIterator]() {
    const iterator = items[Symbol.asyncIterator]()
    return {
      async next() {
        const { done, value } = await iterator.next()
        return done === true ? { done, value: undefined } : { done: false, value: [value] }
      },
      async return() {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }
  },
})
