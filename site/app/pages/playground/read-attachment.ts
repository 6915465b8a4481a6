import { type Attachment, maxMediaBytes, maxTextBytes } from './attachments.ts'

export type AttachmentProblem = 'too_large' | 'unknown_type'

const mediaKinds: ReadonlyMap<string, 'image' | 'audio'> = new Map([
  ['image/png', 'image'],
  ['image/jpeg', 'image'],
  ['image/webp', 'image'],
  ['image/gif', 'image'],
  ['audio/wav', 'audio'],
  ['audio/x-wav', 'audio'],
  ['audio/wave', 'audio'],
  ['audio/mpeg', 'audio'],
  ['audio/mp3', 'audio'],
])

/** A file that was chosen, dropped or pasted. What is no image and no audio is text if all of it is UTF-8. */
export const readAttachment = async (file: File): Promise<Attachment | AttachmentProblem> => {
  const kind = mediaKinds.get(file.type)
  const name = file.name === '' ? (kind ?? 'text') : file.name
  if (kind === undefined && /^(image|audio|video)\//.test(file.type)) return 'unknown_type'
  if (file.size > (kind === undefined ? maxTextBytes : maxMediaBytes)) return 'too_large'
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (kind !== undefined) return { kind, name, type: file.type, bytes: bytes.length, data: toBase64(bytes) }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? 'unknown_type' : { kind: 'text', name, text }
  } catch {
    return 'unknown_type'
  }
}

const chunk = 0x8000

const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunk) binary += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(binary)
}
