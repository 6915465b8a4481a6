import { expect, test } from 'vitest'
import { audioBase64, imageBase64 } from '../../../../../test/harness/media.ts'
import { Problem } from '../../../../http/schema/problem.ts'
import { readAudio, readImage } from './read-media.ts'

/** Null if it is accepted. */
const refusal = (read: () => unknown): string | null => {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof Problem) return error.toApiError().message
    throw error
  }
}
const image = (url: string) => refusal(() => readImage(url))

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('an image of type %s is recognised by its first bytes', (type) => {
  const url = `data:image/${type};base64,${imageBase64[type]}`
  const bytes = Buffer.from(imageBase64[type], 'base64').length
  expect(readImage(url)).toEqual({ type: 'image', url, bytes })
  const other = type === 'png' ? 'gif' : 'png'
  expect(image(`data:image/${other};base64,${imageBase64[type]}`)).toMatch(`is image/${type}, not image/${other}`)
})

test.each(['wav', 'mp3'] as const)('audio of type %s is recognised by its first bytes', (format) => {
  const data = audioBase64[format]
  expect(readAudio(data, format)).toMatchObject({ format, bytes: Buffer.from(data, 'base64').length })
  expect(refusal(() => readAudio(data, format === 'wav' ? 'mp3' : 'wav'))).toMatch(`is audio/${format}, not`)
})

test('an MP3 file may begin with a frame instead of tags, and a JPEG may be called image/jpg', () => {
  for (const head of ['fffb9000', 'fff34400', 'fffa9000'])
    expect(refusal(() => readAudio(Buffer.from(head, 'hex').toString('base64'), 'mp3'))).toBe(null)
  // Layer II, and AAC, which looks similar.
  for (const head of ['fffd9000', 'fff15080'])
    expect(refusal(() => readAudio(Buffer.from(head, 'hex').toString('base64'), 'mp3'))).toMatch('unknown type')
  expect(image(`data:image/jpg;base64,${imageBase64.jpeg}`)).toBe(null)
})

test.each([
  ['data:image/svg+xml;base64,PHN2Zz4=', 'PNG, JPEG, GIF or WebP'],
  ['data:image/png,abc', 'begins with data:image/png;base64,'],
  [`data:image/png;charset=x;base64,${imageBase64.png}`, 'begins with'],
  ['data:image/png;base64,', 'empty'],
  ['data:image/png;base64,!!', 'not valid Base64'],
  [`data:image/png;base64,${imageBase64.png.slice(0, 8)}\n${imageBase64.png.slice(8)}`, 'not valid Base64'],
  [`data:image/png;base64,${imageBase64.png.slice(0, -1)}`, 'not valid Base64'],
  [`data:image/png;base64,${Buffer.from('MZ, not an image').toString('base64')}`, 'of an unknown type, not image/png'],
  ['file:///etc/passwd', 'http or https URL'],
  ['javascript:alert(1)', 'http or https URL'],
  ['cat.png', 'http or https URL'],
  [`https://example.com/${'a'.repeat(9000)}`, 'up to 8192 characters'],
  ['https://user:secret@example.com/a.png', 'must not contain a password'],
])('%.60s is refused', (url, reason) => {
  expect(image(url)).toMatch(reason)
})

test('an address is kept as it is', () => {
  const url = 'https://example.com/a.png?size=1#top'
  expect(readImage(url)).toEqual({ type: 'image', url, bytes: null })
})
