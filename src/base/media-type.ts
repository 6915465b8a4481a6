/** The types of images and audio that are passed on, by the first bytes of a file. */
export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'audio/wav' | 'audio/mp3'

/** The number of bytes that reveal the type. */
export const headBytes = 12

const startsWith =
  (start: string, at = 0) =>
  (bytes: Uint8Array): boolean =>
    [...start].every((character, index) => bytes[at + index] === character.charCodeAt(0))

const inRiff = (kind: string) => (bytes: Uint8Array) => startsWith('RIFF')(bytes) && startsWith(kind, 8)(bytes)

/** The header of a frame: eleven bits that are set, and layer III. */
const isFrame = (bytes: Uint8Array): boolean => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2

const signatures: [MediaType, (bytes: Uint8Array) => boolean][] = [
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', startsWith('\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith('GIF87a')(bytes) || startsWith('GIF89a')(bytes)],
  ['image/webp', inRiff('WEBP')],
  ['audio/wav', inRiff('WAVE')],
  ['audio/mp3', (bytes) => startsWith('ID3')(bytes) || isFrame(bytes)],
]

/** Null if it is none of them. */
export const detectMediaType = (bytes: Uint8Array): MediaType | null =>
  signatures.find(([, matches]) => matches(bytes))?.[0] ?? null
