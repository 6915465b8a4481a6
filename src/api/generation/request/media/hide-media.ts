import { isObject } from '../../../../http/schema/containers.ts'

/**
 * JSON of a body in which each image and recording is replaced by its type and size: they are never stored. Only for bodies
 * that have any, because it looks at every value.
 */
export const hideMedia = (value: unknown): string => JSON.stringify(value, hide)

const dataUrl = /^data:([\w.+/-]{1,64});base64,/

export const isDataUrl = (text: string): boolean => dataUrl.test(text.slice(0, 100))

/** The object that has the value is bound to `this`. */
function hide(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (isDataUrl(value)) return hiddenMedia(value, '')
  if (!isObject(this)) return value
  // What a tool of an upstream has drawn.
  if (key === 'result' && this.type === 'image_generation_call') return hiddenMedia(value, 'image')
  if (key !== 'data') return value
  const { format, media_type } = this
  const named = typeof media_type === 'string' ? media_type : typeof format === 'string' ? `audio/${format}` : null
  return named === null ? value : hidden(named, value)
}

/** In place of a data URL, or of Base64 of this type. */
const hiddenMedia = (text: string, otherwise: string): string => {
  const [head = '', type = otherwise] = dataUrl.exec(text.slice(0, 100)) ?? []
  return hidden(type, text.slice(head.length))
}

const hidden = (type: string, base64: string): string =>
  `[${type.slice(0, 64)}, ${Buffer.byteLength(base64, 'base64')} bytes]`
