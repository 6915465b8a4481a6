import { failed } from '../read-response.ts'
import { itemKind, newItem, type ReadItem } from './response-items.ts'

type Fields = Record<string, unknown>

const maxItems = 1000

export interface KnownItems {
  /**
   * The item of an event, which is a new one if none fits; null if it is left out. `place`: its number, if the event says one. `isText`: only a
   * text of the item is known, and its type is what such an item has most often.
   */
  find(place: unknown, fields: Fields, isText?: boolean): ReadItem | null
}

/**
 * Which item an event belongs to. Its id says so best: some upstreams leave out numbers, or count items that others leave out. The number does
 * if the id is missing, or is another one in each event. A call may have no id of its own, and is then named by its `call_id`.
 */
export const createKnownItems = (allowed: ReadonlySet<string>): KnownItems => {
  /** Null: it is left out. */
  const byId = new Map<unknown, ReadItem | null>()
  const byCallId = new Map<unknown, ReadItem>()
  const byIndex = new Map<unknown, ReadItem | null>()
  let count = 0

  const add = (place: unknown, fields: Fields): ReadItem | null => {
    if (count >= maxItems) throw failed(`its answer has more than ${maxItems} items`)
    const kind = itemKind(fields.type, allowed)
    const item = kind === null ? null : newItem(count, kind, fields)
    if (isName(fields.id)) byId.set(fields.id, item)
    if (item !== null && isCall(item) && isName(fields.call_id)) byCallId.set(fields.call_id, item)
    if (isIndex(place)) byIndex.set(place, item)
    else if (!byIndex.has(count)) byIndex.set(count, item)
    count += 1
    return item
  }
  return {
    find(place, fields, isText = false) {
      const kind = isText ? null : itemKind(fields.type, allowed)
      const fits = (item: ReadItem | null | undefined): item is ReadItem | null =>
        item !== undefined && (isText || (item?.kind ?? null) === kind)
      const named = byId.get(fields.id)
      if (fits(named)) return named
      const called = byCallId.get(isText ? fields.id : fields.call_id)
      if (fits(called) && (isText || !isName(fields.id) || !isName(called?.fields.id))) return called
      const numbered = byIndex.get(place)
      return fits(numbered) ? numbered : add(place, fields)
    },
  }
}

const isName = (id: unknown): id is string => typeof id === 'string' && id !== ''
const isIndex = (place: unknown): boolean => typeof place === 'number' && Number.isSafeInteger(place) && place >= 0
const isCall = ({ kind }: ReadItem): boolean => kind === 'function_call' || kind === 'custom_tool_call'
