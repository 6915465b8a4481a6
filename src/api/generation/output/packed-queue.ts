import { deserialize, serialize } from 'node:v8'

/** Few clients ever fall that far behind. */
const defaultPackBytes = 65_536

/**
 * First in, first out, for plain data. What a slow reader leaves waiting is packed into bytes outside the JavaScript heap: as
 * objects, the garbage collector copies every megabyte of it twice, in pauses that all other requests notice.
 */
export const createPackedQueue = <Item>(packBytes = defaultPackBytes) => {
  let first: Item[] = []
  let taken = 0
  const packs = createPacks<Item>()
  let last: Item[] = []
  let lastBytes = 0
  return {
    put(item: Item, bytes: number): void {
      last.push(item)
      lastBytes += bytes
      if (lastBytes < packBytes) return
      packs.put(last)
      last = []
      lastBytes = 0
    },
    isEmpty: (): boolean => taken === first.length && packs.isEmpty() && last.length === 0,
    take(): Item | undefined {
      if (taken === first.length) {
        taken = 0
        first = packs.take() ?? last
        if (first === last) {
          last = []
          lastBytes = 0
        }
      }
      const item = first[taken]
      if (item !== undefined) taken += 1
      return item
    },
  }
}

const createPacks = <Item>() => {
  let packs: Buffer[] = []
  let taken = 0
  return {
    put: (items: readonly Item[]): void => void packs.push(serialize(items)),
    isEmpty: (): boolean => taken === packs.length,
    take(): Item[] | undefined {
      const pack = packs[taken]
      if (pack === undefined) return undefined
      taken += 1
      if (taken === packs.length) {
        packs = []
        taken = 0
      }
      return unpack<Item>(pack)
    },
  }
}

/** Sound because only `put` packs, and it packs items. */
const unpack = <Item>(pack: Buffer): Item[] => deserialize(pack) as Item[]
