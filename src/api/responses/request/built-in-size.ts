import { isObject } from '../../../http/schema/containers.ts'
import type { BuiltInItem } from '../items.ts'

/** How much of the prompt an item of a built-in tool is: the bytes of its texts, and its images, whose bytes say nothing about their tokens. */
export const builtInSize = (item: BuiltInItem, json: string): { furtherBytes: number; images?: number } => {
  let images = 0
  let imageBytes = 0
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) look(one)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') look(inner)
      else if (isEncoded(name, inner, value)) {
        images += 1
        imageBytes += inner.length
      } else if (name === 'image_url') images += 1
    }
  }
  look(item)
  return { furtherBytes: json.length - imageBytes, ...(images === 0 ? {} : { images }) }
}

const isEncoded = (name: string, text: string, { type }: Record<string, unknown>): boolean =>
  text.startsWith('data:') || (name === 'result' && type === 'image_generation_call')
