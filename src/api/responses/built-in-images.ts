import { builtInItemTypes } from '../../config/built-in-tools.ts'
import { isObject } from '../../http/schema/containers.ts'
import { hiddenMedia } from '../generation/request/media/hide-media.ts'
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

const isEncoded = (name: string, text: string, holder: Record<string, unknown>): boolean =>
  text.startsWith('data:') || isDrawn(name, holder)

const isDrawn = (name: string, { type }: Record<string, unknown>): boolean =>
  name === 'result' && type === 'image_generation_call'

/** The item with the type and size of each image in its place. */
export const withoutImages = (item: BuiltInItem): BuiltInItem => ({ ...changed(item), id: item.id, type: item.type })

const changed = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' ? text(name, inner, value) : deep(inner),
    ]),
  )

const deep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(deep)
  return isObject(value) ? changed(value) : value
}

const text = (name: string, value: string, holder: Record<string, unknown>): string =>
  isEncoded(name, value, holder) ? hiddenMedia(value, 'image') : value

/** Whether `withoutImages` has left one out. */
export const lacksImages = (item: BuiltInItem): boolean => {
  let isLacking = false
  eachText(item, (value, name, holder) => {
    if (name === 'image_url' || isDrawn(name, holder)) isLacking ||= leftOut.test(value)
  })
  return isLacking
}

const leftOut = /^\[[\w.+/-]{1,64}, \d+ bytes\]$/
