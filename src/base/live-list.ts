/**
 * Items that come and go with every request, in the order in which they were added. A `Set` or `Map` would do the same,
 * but replaces its internal table as entries change, and every table refers to the next: once one of them has reached
 * the old generation, all later ones and their contents stay in memory until the next full garbage collection. Here
 * that retained everything that belonged to a request.
 */
export interface LiveList<Item> {
  readonly size: number
  /** Adds at the end. Calling the result removes the item; calling it again does nothing. */
  add(item: Item): () => void
  /** The present items, the earliest first. */
  items(): Item[]
}

type Node<Item> = { item: Item | null; previous: Node<Item> | null; next: Node<Item> | null }

export const createLiveList = <Item>(): LiveList<Item> => {
  let first: Node<Item> | null = null
  let last: Node<Item> | null = null
  let size = 0
  const remove = (node: Node<Item>): void => {
    if (node.item === null) return
    if (node.previous === null) first = node.next
    else node.previous.next = node.next
    if (node.next === null) last = node.previous
    else node.next.previous = node.previous
    // A removed node refers to nothing, so that it keeps nothing alive.
    node.item = null
    node.previous = null
    node.next = null
    size -= 1
  }
  return {
    get size() {
      return size
    },
    add(item) {
      const node: Node<Item> = { item, previous: last, next: null }
      if (last === null) first = node
      else last.next = node
      last = node
      size += 1
      return () => remove(node)
    },
    items() {
      const items: Item[] = []
      for (let node = first; node !== null; node = node.next) if (node.item !== null) items.push(node.item)
      return items
    },
  }
}
