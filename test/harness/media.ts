/** The first bytes of files of each type, and some more: enough to be recognised, not to be shown. */
const base64 = (head: string, length = 40): string =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(length, 7)]).toString('base64')

export const imageBase64 = {
  png: base64('\x89PNG\r\n\x1a\n'),
  jpeg: base64('\xff\xd8\xff\xe0'),
  gif: base64('GIF89a'),
  webp: base64('RIFF\x20\0\0\0WEBP'),
}
export const audioBase64 = { wav: base64('RIFF\x20\0\0\0WAVE'), mp3: base64('ID3\x04') }

export const pngUrl = `data:image/png;base64,${imageBase64.png}`

/** A PNG of this many bytes. */
export const pngOf = (bytes: number): string => `data:image/png;base64,${base64('\x89PNG\r\n\x1a\n', bytes - 8)}`
