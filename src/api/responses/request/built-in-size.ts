import { countImages } from '../built-in-images.ts'
import type { BuiltInItem } from '../items.ts'

/** How much of the prompt an item of a built-in tool is: the bytes of its texts, and its images, whose bytes say nothing about their tokens. */
export const builtInSize = (item: BuiltInItem, json: string): { furtherBytes: number; images?: number } => {
  const { images, characters, addresses } = countImages(item)
  const all = images + addresses
  return { furtherBytes: json.length - characters, ...(all === 0 ? {} : { images: all }) }
}
