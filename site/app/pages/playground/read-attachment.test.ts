import { expect, test } from 'vitest'
import { audioBase64, imageBase64 } from '../../../../test/harness/media.ts'
import { readAttachment } from './read-attachment.ts'

const file = (bytes: Uint8Array<ArrayBuffer> | string, type = '') => new File([bytes], 'notes.txt', { type })
const text = (content: string) => ({ kind: 'text', name: 'notes.txt', text: content })
/** これ、テスト */
const shiftJis = Uint8Array.from([0x82, 0xb1, 0x82, 0xea, 0x81, 0x41, 0x83, 0x65, 0x83, 0x58, 0x83, 0x67])
const eucJp = Uint8Array.from([0xa4, 0xb3, 0xa4, 0xec, 0xa1, 0xa2, 0xa5, 0xc6, 0xa5, 0xb9, 0xa5, 0xc8])

test('text is read in the encodings in which Japanese and Windows programs write it', async () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0x53, 0x30, 0x8c, 0x30])
  expect(await readAttachment(file('富士山'))).toEqual(text('富士山'))
  expect(await readAttachment(file(utf16))).toEqual(text('これ'))
  expect(await readAttachment(file(shiftJis))).toEqual(text('これ、テスト'))
  expect(await readAttachment(file(eucJp))).toEqual(text('これ、テスト'))
})

test('what is no text is refused as such, whatever its size; only text is too large', async () => {
  const photo = new Uint8Array(100_000).fill(0)
  const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20])
  for (const bytes of ['%PDF-1.4', `%PDF-1.4${'x'.repeat(100_000)}`, photo, photo.slice(0, 100), latin])
    expect(await readAttachment(file(bytes))).toBe('unknown_type')
  expect(await readAttachment(file('<svg/>', 'image/svg+xml'))).toBe('unknown_type')
  expect(await readAttachment(file('富'.repeat(50_000)))).toBe('too_large')
  const wav = new Uint8Array(5 * 1024 * 1024)
  wav.set(Buffer.from(audioBase64.wav, 'base64'))
  expect(await readAttachment(file(wav, 'audio/wav'))).toBe('too_large')
  expect(await readAttachment(file(''))).toBe('empty')
})

test('images and audio are what their first bytes say, not what their names do', async () => {
  const media = (base64: string, type: string) => file(Uint8Array.from(Buffer.from(base64, 'base64')), type)
  expect(await readAttachment(media(imageBase64.jpeg, 'image/png'))).toMatchObject({
    kind: 'image',
    type: 'image/jpeg',
  })
  expect(await readAttachment(media(imageBase64.webp, ''))).toMatchObject({ kind: 'image', type: 'image/webp' })
  expect(await readAttachment(media(audioBase64.mp3, 'audio/mpeg'))).toMatchObject({ kind: 'audio', type: 'audio/mp3' })
  expect(await readAttachment(file('<html>', 'image/png'))).toBe('unknown_type')
  expect(await readAttachment(file('GIF89a is how such files begin.', 'text/plain'))).toMatchObject({ kind: 'text' })
})
