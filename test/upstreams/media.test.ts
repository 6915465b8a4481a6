import { beforeAll, expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { audioBase64, imageBase64, pngOf, pngUrl } from '../harness/media.ts'
import { postMessages } from '../harness/post-messages.ts'
import { postResponses } from '../harness/post-responses.ts'
import { readError } from '../harness/read-error.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { sayJson, startUpstream, type Upstream } from '../harness/scripted-upstream.ts'
import { type Helix, type HelixOptions, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

type EngineOptions = Partial<Parameters<typeof openRemoteEngine>[0]>

const optionsOf = (upstream: Upstream, engine: EngineOptions = {}, config: HelixOptions['config'] = {}) => ({
  config,
  startEngine: () =>
    openRemoteEngine({
      ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
      ...{ slots: 4, created: 0, log: createLogCatcher({ clock: createManualClock(), format: 'json' }).log },
      capabilities: ['vision', 'audio'] as const,
      ...engine,
    }),
})
const startEcho = () => startUpstream((response) => sayJson(response, { content: 'A cat.' }, {}, usage))
const usage = { prompt_tokens: 1_207, completion_tokens: 3 }

let upstream: Upstream
let helix: Helix
beforeAll(async () => {
  upstream = await startEcho()
  helix = await openHelix(optionsOf(upstream, {}, { partLimitBytes: 2_000, partsLimitBytes: 3_000 }))
  return helix.close
})

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] })
const text = { type: 'text', text: 'What is this?' }
const image = (url: string, more: object = {}) => ({ type: 'image_url', image_url: { url, ...more } })
const audio = { type: 'input_audio', input_audio: { data: audioBase64.mp3, format: 'mp3' } }
const arrived = (at: Upstream = upstream): unknown => at.asked.at(-1)?.body.messages

test('images and audio of a chat arrive at the upstream as they were sent, in order', async () => {
  const content = [text, image(pngUrl, { detail: 'low' }), audio, { type: 'text', text: 'And this?' }]
  const response = await helix.chat(user(...content))
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'A cat.' } }],
    usage: { prompt_tokens: 1_207, completion_tokens: 3 },
  })
  expect(arrived()).toEqual([{ role: 'user', content }])
  expect((await helix.chat(user(text, text))).status).toBe(200)
  expect(arrived()).toEqual([{ role: 'user', content: 'What is this?\nWhat is this?' }])
})

test('image blocks of /v1/messages and parts of /v1/responses arrive in the same form', async () => {
  const source = { type: 'base64', media_type: 'image/webp', data: imageBase64.webp }
  const blocks = [
    { type: 'image', source },
    { type: 'text', text: 'What is this?' },
  ]
  const message = await postMessages(helix, { messages: [{ role: 'user', content: blocks }] })
  expect(await message.json()).toMatchObject({ usage: { input_tokens: 1_207 } })
  expect(arrived()).toEqual([{ role: 'user', content: [image(`data:image/webp;base64,${imageBase64.webp}`), text] }])
  const content = [
    { type: 'input_text', text: 'What is this?' },
    { type: 'input_image', image_url: pngUrl, detail: 'high' },
    { type: 'input_audio', input_audio: { data: audioBase64.wav, format: 'wav' } },
  ]
  expect((await postResponses(helix, { input: [{ role: 'user', content }] })).status).toBe(200)
  expect(arrived()).toEqual([{ role: 'user', content: [text, image(pngUrl, { detail: 'high' }), content[2]] }])
})

test('images in the results of tools follow the results, each with a mark in its place', async () => {
  const source = { type: 'base64', media_type: 'image/webp', data: imageBase64.webp }
  const calls = ['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} }))
  const results = [
    {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [
        { type: 'text', text: 'Here:' },
        { type: 'image', source },
      ],
    },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: 'none' },
  ]
  const messages = [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: calls },
    { role: 'user', content: [...results, { type: 'text', text: 'What is this?' }] },
  ]
  expect((await postMessages(helix, { messages })).status).toBe(200)
  const webp = image(`data:image/webp;base64,${imageBase64.webp}`)
  expect(arrived()).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'toolu_1', content: 'Here:\n[image]' },
    { role: 'tool', tool_call_id: 'toolu_2', content: 'none' },
    { role: 'user', content: [webp, text] },
  ])
  const input = [
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_image', image_url: pngUrl }] },
  ]
  const response = await postResponses(helix, { input })
  expect(arrived()).toMatchObject([
    { role: 'assistant' },
    { role: 'tool', tool_call_id: 'call_1', content: '[image]' },
    { role: 'user', content: [image(pngUrl)] },
  ])
  const { id } = (await response.json()) as { id: string }
  const items = await helix.get(`/v1/responses/${id}/input_items`)
  const itemsText = await items.text()
  expect(itemsText).toContain('[image/png, ')
  expect(itemsText).not.toContain(pngUrl)
  const continued = await postResponses(helix, { previous_response_id: id, input: 'And now?' })
  expect(await readError(continued)).toMatchObject({ code: 'media_not_stored' })
})

test('an image in the result of a tool is refused by its place if something is wrong with it', async () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'no image' }
  const messages = [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] }] },
  ]
  const refused = await (await postMessages(helix, { messages })).json()
  expect(JSON.stringify(refused)).toContain('messages[2].content[0].content[0].source.data')
})

test('the results of tools come before the images of the same message', async () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Seen.' }
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: imageBase64.gif } }
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [result, picture] },
  ]
  const tools = [{ name: 'look', input_schema: { type: 'object' } }]
  expect((await postMessages(helix, { messages, tools })).status).toBe(200)
  expect((arrived() as unknown[]).slice(2)).toEqual([
    { role: 'tool', content: 'Seen.', tool_call_id: 'toolu_1' },
    { role: 'user', content: [image(`data:image/gif;base64,${imageBase64.gif}`)] },
  ])
})

test.each([
  ['an address', image('https://example.com/cat.png'), '[1]', /does not accept addresses/],
  [
    'another type than it says',
    image(`data:image/png;base64,${imageBase64.gif}`),
    '[1].image_url.url',
    /is image\/gif/,
  ],
  ['too large', image(pngOf(2_001)), '[1]', /2001 bytes, and at most 2000/],
  ['no URL', { type: 'image_url', image_url: {} }, '[1].image_url.url', /Missing/],
  ['an unknown detail', image(pngUrl, { detail: 'some' }), '[1].image_url.detail', /Supported values/],
  ['an unknown format', { ...audio, input_audio: { data: 'AAAA', format: 'ogg' } }, '[1].input_audio.format', /ogg/],
  [
    'audio that is none',
    { ...audio, input_audio: { data: 'AAAA', format: 'wav' } },
    '[1].input_audio.data',
    /not audio/,
  ],
  ['a file', { type: 'file', file: { file_id: 'file-1' } }, '[1].type', /file/],
])('%s is refused with its place', async (_, part, place, message) => {
  const before = upstream.asked.length
  const response = await helix.chat(user(text, part))
  expect(response.status).toBe(400)
  const error = await readError(response)
  expect(error).toMatchObject({ param: `messages[0].content${place}`, message: expect.stringMatching(message) })
  expect(upstream.asked).toHaveLength(before)
})

test('the other endpoints name the place as they were sent it', async () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
  const message = await postMessages(helix, { messages: [{ role: 'user', content: [{ type: 'image', source }] }] })
  expect([message.status, await message.text()]).toEqual([
    400,
    expect.stringContaining('messages[0].content[0].source.data'),
  ])
  const content = [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }]
  const response = await postResponses(helix, {
    input: [
      { role: 'user', content: 'a' },
      { role: 'user', content },
    ],
  })
  expect([response.status, (await readError(response)).param]).toEqual([400, 'input[1].content[0].image_url'])
})

test('all parts of a request have a size together, and a number', async () => {
  const half = image(pngOf(1_600))
  expect(await readError(await helix.chat(user(half, half)))).toMatchObject({
    message: expect.stringMatching(/3200 bytes, and at most 3000/),
  })
  const small = await helix.chat(user(...Array.from({ length: 101 }, () => image(pngOf(12)))))
  expect(await readError(small)).toMatchObject({ message: expect.stringMatching(/at most 100/) })
})

test('a model without the capability refuses parts by their type, whatever they contain', async () => {
  const plain = await startHelix(optionsOf(upstream, { capabilities: ['audio'] }))
  const refused = await plain.chat(user(text, image('data:image/png;base64,!!')))
  expect(await readError(refused)).toMatchObject({ code: 'unsupported_value', param: 'messages[0].content[1].type' })
  expect((await plain.chat(user(audio))).status).toBe(200)
  const { capabilities } = (await (await plain.get(`/v1/models/${modelName}`)).json()) as { capabilities: string[] }
  expect(capabilities).toContain('audio')
  expect(capabilities).not.toContain('vision')
})

test('an address is passed on untouched where the operator allows it', async () => {
  const open = await startHelix(optionsOf(upstream, { capabilities: ['image_urls'] }))
  const url = 'https://user.example.com/a%20b.png?token=x#y'
  expect((await open.chat(user(image(url)))).status).toBe(200)
  expect(arrived()).toEqual([{ role: 'user', content: [image(url)] }])
  const source = { type: 'url', url }
  expect(
    (await postMessages(open, { messages: [{ role: 'user', content: [{ type: 'image', source }] }] })).status,
  ).toBe(200)
  expect(arrived()).toEqual([{ role: 'user', content: [image(url)] }])
})

test('an image is reserved as many tokens as the setting says, and billed as many as the upstream says', async () => {
  const own = await startEcho()
  const counted = await startHelix(optionsOf(own, { imageTokens: 3_000 }))
  await (await counted.chat({ ...user(image(pngUrl)), max_tokens: 10 })).text()
  const tokens = await postMessages(counted, { messages: [{ role: 'user', content: 'Hi' }] }, { path: '/count_tokens' })
  expect(tokens.status).toBe(200)
  const [row] = await readLedger(counted)
  expect(row?.reservedTokens).toBeGreaterThanOrEqual(3_010)
  expect(row?.settlement).toMatchObject({ promptTokens: 1_207, completionTokens: 3 })
  expect(row?.settlement?.isEstimated ?? false).toBe(false)
})

test('neither the log nor stored bodies, completions and responses contain the data', async () => {
  const own = await startEcho()
  const storing = await startHelix(optionsOf(own))
  const owner = await claimServer(storing)
  expect((await owner.post('/organisation/bodies', { days: 7 })).status).toBe(204)
  const hidden = `[image/png, ${Buffer.from(imageBase64.png, 'base64').length} bytes]`
  const stored = async (path: string): Promise<string> => (await storing.get(path)).text()

  const chatted = await storing.chat({ ...user(text, image(pngUrl), audio), store: true })
  const { id } = (await chatted.json()) as { id: string }
  const body = await bodyOf(owner, chatted.headers.get('x-request-id') ?? '')
  expect(body).toContain(hidden)
  const completion = await stored(`/v1/chat/completions/${id}/messages`)
  expect(completion).toContain(hidden)
  expect(completion).toContain('[audio/mp3, 44 bytes]')

  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: pngUrl }] }]
  const response = (await (await postResponses(storing, { input })).json()) as { id: string }
  expect(await stored(`/v1/responses/${response.id}/input_items`)).toContain(hidden)
  const next = await postResponses(storing, { previous_response_id: response.id, input: 'And its colour?' })
  expect(await readError(next)).toMatchObject({ code: 'media_not_stored', param: 'previous_response_id' })

  for (const secret of [imageBase64.png, audioBase64.mp3]) {
    expect(dataFilesContain(storing.dataDir, secret)).toBe(false)
    for (const line of storing.logLines) expect(line).not.toContain(secret)
  }
})

/** What was stored of a request, as soon as it was written. */
const bodyOf = async (owner: BrowserSession, id: string): Promise<string> => {
  for (;;) {
    const { request } = (await (await owner.get(`/requests/${id}/bodies`)).json()) as {
      request: { text: string } | null
    }
    if (request !== null) return request.text
  }
}
