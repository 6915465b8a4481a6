import { countImages, isBuiltInItem } from './built-in-images.ts'
import type { InputItem, InputMedia, InputText, ToolOutput } from './items.ts'

/** Items as they are stored: without the content of images and audio, except in items of built-in tools, which continue with them. */
export const itemsJson = (items: readonly InputItem[]): string =>
  hasMedia(items) ? `[${items.map(itemJson).join(',')}]` : JSON.stringify(items)

const itemJson = (item: InputItem): string =>
  isBuiltInItem(item)
    ? JSON.stringify(item)
    : JSON.stringify(item, (key, value) => (key === 'media' ? undefined : value))

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
