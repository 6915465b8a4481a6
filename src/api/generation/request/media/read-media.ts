import { ApiError } from '../../../../base/api-error.ts'
import { detectMediaType, headBytes, type MediaType } from '../../../../base/media-type.ts'
import type { AudioMedia, ImageMedia } from '../../../../engine/contract.ts'
import { Problem } from '../../../../http/schema/problem.ts'

/** As clients write them. */
const imageTypes: Readonly<Record<string, MediaType>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
}
const longestUrl = 8192
const dataUrl = /^data:([\w.+/-]{1,64});base64,/

const refuse = (reason: string): Problem =>
  new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))

/** An image in a `data:` URL, whose type is checked against its first bytes, or an address. Throws a `Problem`. */
export const readImage = (url: string): ImageMedia => {
  if (!url.startsWith('data:')) return { type: 'image', url: readAddress(url), bytes: null }
  const [head, declared = ''] = dataUrl.exec(url.slice(0, 100)) ?? []
  if (head === undefined) throw refuse('a data: URL of an image begins with data:image/png;base64, or another type')
  const type = imageTypes[declared]
  if (type === undefined) throw refuse('images must be PNG, JPEG, GIF or WebP')
  return { type: 'image', url, bytes: readBase64(url.slice(head.length), type) }
}

/** The same for the audio formats of chat requests. */
export const readAudio = (data: string, format: AudioMedia['format']): AudioMedia => ({
  type: 'audio',
  data,
  format,
  bytes: readBase64(data, `audio/${format}`),
})

const readAddress = (url: string): string => {
  const { protocol, username, password } = URL.parse(url.slice(0, longestUrl + 1)) ?? {}
  if (url.length > longestUrl || (protocol !== 'https:' && protocol !== 'http:'))
    throw refuse(`an image is a data: URL, or an http or https URL of up to ${longestUrl} characters`)
  if (username || password) throw refuse('the URL of an image must not contain a password')
  return url
}

/** The number of bytes. Upstreams differ in what they accept beside standard Base64, so nothing else is passed on. */
const readBase64 = (data: string, type: MediaType): number => {
  if (data === '') throw refuse('it is empty')
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== data) throw refuse('it is not valid Base64')
  const found = detectMediaType(bytes.subarray(0, headBytes))
  if (found !== type) throw refuse(`its content is ${found ?? 'of an unknown type'}, not ${type}`)
  return bytes.length
}
