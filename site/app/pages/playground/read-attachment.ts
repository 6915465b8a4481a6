import { detectMediaType, headBytes, type MediaType } from '../../../../src/base/media-type.ts'
import { type Attachment, maxImageFileBytes, maxMediaBytes, maxTextBytes } from './attachments.ts'
import { decodeText } from './decode-text.ts'

export type AttachmentProblem = 'empty' | 'too_large' | 'unknown_type'

/** A GIF would lose its motion. */
const reducible: ReadonlySet<string> = new Set<MediaType>(['image/png', 'image/jpeg', 'image/webp'])

/** A file that was chosen, dropped or pasted. What is no image and no audio is text if all of it can be read as such. */
export const readAttachment = async (file: File): Promise<Attachment | AttachmentProblem> => {
  if (file.size === 0) return 'empty'
  try {
    const type = await mediaTypeOf(file)
    if (type === 'unknown') return 'unknown_type'
    return type === null ? await readText(file) : await readMedia(file, type)
  } catch {
    return 'unknown_type'
  }
}

/**
 * By its first bytes, as the server decides: many files are named as what they are not. Null: text, if anything. Browsers know the type of
 * a file by its name, and of some names none.
 */
const mediaTypeOf = async (file: File): Promise<MediaType | 'unknown' | null> => {
  const isMedia = /^(image|audio|video)\//.test(file.type)
  if (!isMedia && file.type !== '' && file.type !== 'application/octet-stream') return null
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return detectMediaType(head) ?? (isMedia ? 'unknown' : null)
}

const readMedia = async (file: File, type: MediaType): Promise<Attachment | AttachmentProblem> => {
  const kind = type.startsWith('image/') ? 'image' : 'audio'
  const isReduced = file.size > maxMediaBytes && reducible.has(type)
  if (file.size > (isReduced ? maxImageFileBytes : maxMediaBytes)) return 'too_large'
  const media = isReduced ? await reduceImage(file) : file
  if (media.size > maxMediaBytes) return 'too_large'
  const bytes = new Uint8Array(await media.arrayBuffer())
  const name = file.name === '' ? kind : file.name
  const read = { kind, name, type: isReduced ? media.type : type, bytes: bytes.length, data: toBase64(bytes) } as const
  return isReduced ? { ...read, isReduced } : read
}

/** How much of a large file shows whether it is text at all. */
const sampleBytes = 4096

const readText = async (file: File): Promise<Attachment | AttachmentProblem> => {
  const isLarge = file.size > maxTextBytes
  const part = isLarge ? file.slice(0, sampleBytes) : file
  const text = decodeText(new Uint8Array(await part.arrayBuffer()), isLarge)
  if (text === null) return 'unknown_type'
  return isLarge ? 'too_large' : { kind: 'text', name: file.name === '' ? 'text' : file.name, text }
}

/** Models reduce larger images themselves. */
const maxSide = 2048

/** Photographs of phones and screenshots of large screens have more pixels than a model sees. */
const reduceImage = async (file: File): Promise<Blob> => {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height))
  const [width, height] = [Math.ceil(image.width * scale), Math.ceil(image.height * scale)]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context !== null) {
    // JPEG has no transparency, and would make it black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, width, height)
    context.drawImage(image, 0, 0, width, height)
  }
  image.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
}

const chunk = 0x8000

const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunk) binary += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(binary)
}
