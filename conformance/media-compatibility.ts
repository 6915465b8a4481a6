/**
 * How images and audio are treated with an upstream that accepts them, at each endpoint. `media-compatibility.test.ts` sends
 * every sample to a server in front of such an upstream.
 */
import type { FieldSupport } from './compatibility/field-support.ts'

type MediaEndpoint = 'chat/completions' | 'messages' | 'responses'
export type MediaSupport = Pick<FieldSupport, 'verdict' | 'code' | 'note'> & {
  endpoint: MediaEndpoint
  part: string
  sample: Record<string, unknown>
}

const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1').toString('base64')
const wav = Buffer.from('RIFF\x20\0\0\0WAVE and so on', 'latin1').toString('base64')
const pngUrl = `data:image/png;base64,${png}`
const address = 'https://example.com/a.png'

const chat = (part: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, part] }] })
const input = (part: object) => ({ input: [{ role: 'user', content: [part] }] })
const audio = { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }
const image = (source: object) => ({ type: 'image', source })
const output = (part: object) => ({
  input: [
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: [part] },
  ],
})
const afterResults = 'other APIs get `[image]` in its place, and the image in a message of the user after the results'
const result = (part: object) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [part] }] },
  ],
})
const base64 = { type: 'base64', media_type: 'image/png', data: png }
const unsupported = { verdict: 'refused', code: 'unsupported_value' } as const
const invalid = { verdict: 'refused', code: 'invalid_value' } as const
const onlyWhere = 'passed on unchanged if the upstream has the capability `image_urls`; otherwise refused'

const rowsOf = (endpoint: MediaEndpoint, rows: Omit<MediaSupport, 'endpoint'>[]): MediaSupport[] =>
  rows.map((row) => ({ endpoint, ...row }))

export const mediaSupport: MediaSupport[] = [
  ...rowsOf('chat/completions', [
    {
      part: '`image_url` with a `data:` URL, `detail`',
      verdict: 'supported',
      note: 'PNG, JPEG, GIF, WebP',
      sample: chat({ type: 'image_url', image_url: { url: pngUrl, detail: 'low' } }),
    },
    {
      part: '`image_url` with an address',
      verdict: 'supported',
      note: onlyWhere,
      sample: chat({ type: 'image_url', image_url: { url: address } }),
    },
    { part: '`input_audio`', verdict: 'supported', note: 'WAV, MP3', sample: chat(audio) },
    {
      part: 'data that is not what it says',
      ...invalid,
      sample: chat({ type: 'image_url', image_url: { url: `data:image/gif;base64,${png}` } }),
    },
    { part: '`file`', ...unsupported, sample: chat({ type: 'file', file: { file_id: 'file-1' } }) },
  ]),
  ...rowsOf('messages', [
    {
      part: '`image` with a `base64` source',
      verdict: 'supported',
      sample: { messages: [{ role: 'user', content: [image(base64)] }] },
    },
    {
      part: '`image` with a `url` source',
      verdict: 'supported',
      note: onlyWhere,
      sample: { messages: [{ role: 'user', content: [image({ type: 'url', url: address })] }] },
    },
    {
      part: '`image` with a `file` source',
      verdict: 'refused',
      sample: { messages: [{ role: 'user', content: [image({ type: 'file', file_id: 'file-1' })] }] },
    },
    {
      part: '`image` in the result of a tool',
      verdict: 'supported',
      note: afterResults,
      sample: result(image(base64)),
    },
  ]),
  ...rowsOf('responses', [
    {
      part: '`input_image` with a `data:` URL, `detail`',
      verdict: 'supported',
      sample: input({ type: 'input_image', image_url: pngUrl, detail: 'high' }),
    },
    {
      part: '`input_image` with an address',
      verdict: 'supported',
      note: onlyWhere,
      sample: input({ type: 'input_image', image_url: address }),
    },
    { part: '`input_audio`', verdict: 'supported', sample: input(audio) },
    {
      part: '`input_image` with a `file_id`',
      ...unsupported,
      sample: input({ type: 'input_image', file_id: 'file-1' }),
    },
    {
      part: '`input_image` in the output of a tool',
      verdict: 'supported',
      note: afterResults,
      sample: output({ type: 'input_image', image_url: pngUrl }),
    },
    { part: '`input_file`', ...unsupported, sample: input({ type: 'input_file', file_id: 'file-1' }) },
  ]),
]
