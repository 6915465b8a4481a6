import { builtInItemTypes } from '../../config/built-in-tools.ts'
import { isObject } from '../../http/schema/containers.ts'
import { isDataUrl } from '../generation/request/media/hide-media.ts'
import type { BuiltInItem, InputItem } from './items.ts'

/** Images in the items of built-in tools, such as screenshots: as data URLs, and what a tool has drawn without the head of one. */

const types: ReadonlySet<string> = new Set(builtInItemTypes)
export const isBuiltInItem = (item: InputItem): item is BuiltInItem => types.has(item.type)

/** Calls `found` for each text with the name that it has in its object. */
const eachText = (
  value: unknown,
  found: (text: string, name: string, holder: Record<string, unknown>) => void,
): void => {
  if (Array.isArray(value)) for (const one of value) eachText(one, found)
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value))
    if (typeof inner === 'string') found(inner, name, value)
    else eachText(inner, found)
}

/** How many images are in the item, how many characters they have, and how many are only addresses. */
export const countImages = (item: BuiltInItem): { images: number; characters: number; addresses: number } => {
  const count = { images: 0, characters: 0, addresses: 0 }
  eachText(item, (text, name, holder) => {
    if (isEncoded(name, text, holder)) {
      count.images += 1
      count.characters += text.length
    } else if (name === 'image_url') count.addresses += 1
  })
  return count
}

/** Other texts may begin like a data URL: events that a tool has printed do. */
const isEncoded = (name: string, text: string, holder: Record<string, unknown>): boolean =>
  isDataUrl(text) || isDrawn(name, holder)

const isDrawn = (name: string, { type }: Record<string, unknown>): boolean =>
  name === 'result' && type === 'image_generation_call'
