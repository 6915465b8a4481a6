import { isObject } from '../../../../http/schema/containers.ts'

/**
 * JSON of a body in which each image and recording is replaced by its type and size: they are never stored. Only for bodies
 * that have any, because it looks at every value.
 */
export const hideMedia = (value: unknown): string => JSON.stringify(value, hide)

const dataUrl = /^data:([\w.+/-]{1,64});base64,/

/** The object that has the value is bound to `this`. */
function hide(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [head, type] = dataUrl.exec(value.slice(0, 100)) ?? []
  if (head !== undefined) return hidden(type ?? '', value.slice(head.length))
  if (key !== 'data' || !isObject(this)) return value
  const { format, media_type } = this
  const named = typeof media_type === 'string' ? media_type : typeof format === 'string' ? `audio/${format}` : null
  return named === null ? value : hidden(named, value)
}

const hidden = (type: string, base64: string): string =>
  `[${type.slice(0, 64)}, ${Buffer.byteLength(base64, 'base64')} bytes]`
