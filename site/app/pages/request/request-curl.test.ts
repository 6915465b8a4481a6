import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/harness/temp-dir.ts'
import { requestCurl } from './request-curl.ts'

test('the shell sends the stored request to the path it was sent to, whatever it says', () => {
  const body = JSON.stringify({ model: 'helix-v1', prompt: 'It\'s $HOME `date` \\ "quoted"\nand 日本語' })
  const curl = requestCurl('completions', body, 'http://127.0.0.1:8080/v1')
  const script = `curl() { printf '%s\\n' "$2"; for last; do :; done; printf %s "$last"; }\n${curl}`
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { HELIX_API_KEY: 'hx_live_1' } })
  expect(stdout).toBe(`http://127.0.0.1:8080/v1/completions\n${body}`)
})

test('a document is read from a file whose name begins as a word of the body does', async () => {
  const folder = await tempDir()
  writeFileSync(join(folder, 'file-1.pdf'), 'a document')
  const parts = (data: string) => [
    { type: 'text', text: 'the file file here' },
    { type: 'document', source: { data } },
  ]
  const body = (data: string) => ({ model: 'a', messages: [{ role: 'user', content: parts(data) }] })
  const curl = requestCurl('messages', JSON.stringify(body('[application/pdf, 10 bytes]')), 'http://127.0.0.1:8080/v1')
  const { stdout } = spawnSync('sh', ['-c', `curl() { cat; }\n${curl}`], { encoding: 'utf8', cwd: folder })
  expect(JSON.parse(stdout)).toEqual(body(Buffer.from('a document').toString('base64')))
})

test('no text of a body names a file that is read, however it is escaped', async () => {
  const folder = await tempDir()
  writeFileSync(join(folder, 'secret'), 'a secret')
  writeFileSync(join(folder, 'image-1.png'), 'a picture')
  const text = String.raw`{ "type": "text", "text": "\u0020filesecret\u0020file" }`
  const image = '{ "type": "image", "source": { "data": "[image/png, 9 bytes]" } }'
  const body = `{ "model": "a", "messages": [{ "role": "user", "content": [${text}, ${image}] }] }`
  const curl = requestCurl('messages', body, 'http://127.0.0.1:8080/v1')
  const { stdout } = spawnSync('sh', ['-c', `curl() { cat; }\n${curl}`], { encoding: 'utf8', cwd: folder })
  const [said, seen] = JSON.parse(stdout).messages[0].content
  expect(said.text).toBe(' filesecret file')
  expect(seen.source.data).toBe(Buffer.from('a picture').toString('base64'))
})

test('images and audio that are not stored are read from files, the same image from one file', async () => {
  const folder = await tempDir()
  const pictureText = 'a picture that is longer than one line of Base64 of seventy-six characters'
  writeFileSync(join(folder, 'image-1.png'), pictureText)
  writeFileSync(join(folder, 'audio-2.wav'), 'a sound')
  writeFileSync(join(folder, 'image-3.jpg'), 'another picture')
  const image = { type: 'image_url', image_url: { url: '[image/png, 74 bytes]' } }
  const sound = { type: 'input_audio', input_audio: { data: '[audio/wav, 7 bytes]', format: 'wav' } }
  const photo = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '[image/jpeg, 15 bytes]' } }
  const text = { type: 'text', text: "What's file, file- and [image/png, 1 bytes] here?" }
  const content = (parts: object[]) => JSON.stringify({ model: 'a', messages: [{ role: 'user', content: parts }] })
  const curl = requestCurl('chat.completions', content([text, image, sound, photo, image]), 'http://127.0.0.1:8080/v1')
  const { stdout } = spawnSync('sh', ['-c', `curl() { cat; }\n${curl}`], { encoding: 'utf8', cwd: folder })
  const base64 = (said: string) => Buffer.from(said).toString('base64')
  const read = { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(pictureText)}` } }
  const expected = [
    text,
    read,
    { ...sound, input_audio: { data: base64('a sound'), format: 'wav' } },
    { ...photo, source: { ...photo.source, data: base64('another picture') } },
    read,
  ]
  expect(JSON.parse(stdout)).toEqual(JSON.parse(content(expected)))
})
