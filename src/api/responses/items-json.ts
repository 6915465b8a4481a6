import { countImages, isBuiltInItem, withoutImages } from './built-in-images.ts'
import type { InputItem } from './items.ts'

/** Items as they are stored: without the content of images and audio. */
export const itemsJson = (items: readonly InputItem[]): string =>
  hasMedia(items)
    ? JSON.stringify(
        items.map((item) => (isBuiltInItem(item) ? withoutImages(item) : item)),
        (key, value) => (key === 'media' ? undefined : value),
      )
    : JSON.stringify(items)

/** Some of the items have images or audio. */
export const hasMedia = (items: readonly InputItem[]): boolean =>
  items.some((item) =>
    isBuiltInItem(item)
      ? countImages(item).images > 0
      : item.type === 'message' && item.role === 'user' && item.content.some(({ type }) => type !== 'input_text'),
  )
