import { countImages, isBuiltInItem, withoutImages } from './built-in-images.ts'
import type { InputItem, InputMedia, InputText, ToolOutput } from './items.ts'

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
  items.some((item) => {
    if (isBuiltInItem(item)) return countImages(item).images > 0
    if (item.type === 'message') return item.role === 'user' && item.content.some(isMedia)
    return isOutput(item) && typeof item.output !== 'string' && item.output.some(isMedia)
  })

const isMedia = ({ type }: InputText | InputMedia): boolean => type !== 'input_text'

const isOutput = (item: InputItem): item is ToolOutput =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output'
