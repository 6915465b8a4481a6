import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { openTokenCounters } from '../../src/engine/remote/tokenizer/token-counters.ts'
import { requireTokenizers } from '../../src/upstreams/configured-upstreams.ts'
import { defaultUpstream, defaultUpstreamModel } from '../../src/upstreams/default-upstream.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { imageBase64 } from '../harness/media.ts'
import { postMessages } from '../harness/post-messages.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { doneEvent, finishEvent, pieceEvent, sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'
import { writeTokenizer } from '../harness/tiny-tokenizer.ts'
import { writeGguf } from '../harness/write-gguf.ts'

const log = createLogCatcher({ clock: systemClock, format: 'json' }).log

const start = async (answer: (response: ServerResponse) => unknown) => {
  const upstream = await startUpstream(answer)
  const counters = openTokenCounters({ clock: systemClock, log })
  onTestFinished(() => counters.close())
  const path = writeTokenizer()
  expect(await counters.check(path)).toBe(null)
  const engine = openRemoteEngine({
    ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
    ...{ slots: 4, created: 0, log, capabilities: ['vision'], counter: counters.of(path) },
  })
  const helix = await startHelix({ startEngine: () => engine })
  return { helix, upstream }
}
const prompt = { messages: [{ role: 'user', content: 'Hello world' }] }
/** Two words, and what the frame around a message and before an answer counts. */
const promptTokens = 2 + 5 + 3

const unsaid = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(pieceEvent('Hello cat') + pieceEvent(' world cat') + finishEvent() + doneEvent)
}

test('an upstream that sends no usage is billed by the tokenizer, and the record is not marked as estimated', async () => {
  const { helix } = await start(unsaid)
  await (await helix.chat({ ...prompt, max_tokens: 20, stream: true })).text()
  const [row] = await readLedger(helix)
  expect(row?.reservedTokens).toBe(promptTokens + 20)
  expect(row?.settlement).toMatchObject({ promptTokens, completionTokens: 4 })
  expect(row?.settlement?.isEstimated ?? false).toBe(false)
})

test('the same for a JSON answer, and for counts that cannot be correct', async () => {
  const usage = { prompt_tokens: 0, completion_tokens: 5_000 }
  const { helix } = await start((response) => sayJson(response, { content: 'Hello cat' }, {}, usage))
  expect(await (await helix.chat({ ...prompt, max_tokens: 20 })).json()).toMatchObject({
    usage: { prompt_tokens: promptTokens, completion_tokens: 2 },
  })
  const [row] = await readLedger(helix)
  expect(row?.settlement?.isEstimated ?? false).toBe(false)
})

test("the upstream's own counts are preferred, and images are still an estimate", async () => {
  const { helix } = await start((response) => sayJson(response, { content: 'Hello cat' }, {}, undefined))
  await (await helix.chat({ ...prompt, max_tokens: 20 })).text()
  const url = `data:image/png;base64,${imageBase64.png}`
  const content = [{ type: 'image_url', image_url: { url } }]
  const counted = await postMessages(helix, prompt, { path: '/count_tokens' })
  expect(await counted.json()).toEqual({ input_tokens: promptTokens })
  await (await helix.chat({ messages: [{ role: 'user', content }], max_tokens: 20 })).text()
  const [text, image] = await readLedger(helix)
  expect(text?.settlement).toMatchObject({ promptTokens: 7, completionTokens: 3 })
  expect(image?.reservedTokens).toBe(8 + 2048 + 20)
})

test('a client that leaves pays for the counted prompt', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const { helix } = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Hello'))
    resolve()
  })
  const leaving = new AbortController()
  const response = await helix.chat({ ...prompt, stream: true }, { signal: leaving.signal })
  await begun
  leaving.abort()
  await response.text().catch(() => {})
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ outcome: 'client_closed', promptTokens })
})

test('the prompt of a model whose upstreams accept different requests is counted too', async () => {
  const { baseUrl } = await startUpstream(unsaid)
  const set = createUpstreamSet({ clock: systemClock, log })
  onTestFinished(() => set.close())
  const tokenizer = writeTokenizer()
  expect(await set.checkTokenizers([{ tokenizer }])).toBe(null)
  const upstream = (name: string, capabilities: readonly 'vision'[]) => ({
    ...{ ...defaultUpstream, name, baseUrl },
    models: [{ ...defaultUpstreamModel, name: 'big', upstreamName: 'big', tokenizer, capabilities }],
  })
  set.replace([upstream('reading', []), upstream('seeing', ['vision'])])
  const local = scriptModels([{ id: modelName }])
  const helix = await startHelix({ openModels: (config) => local.open(config, systemClock, set) })
  const counted = await postMessages(helix, { ...prompt, model: 'big' }, { path: '/count_tokens' })
  expect(await counted.json()).toEqual({ input_tokens: promptTokens })
})

test('a tokenizer that cannot be used is refused at startup, and when its upstream is tested', async () => {
  const set = createUpstreamSet({ clock: systemClock, log })
  onTestFinished(() => set.close())
  const url = 'http://127.0.0.1:1/v1'
  const settingWith = (tokenizer: string) =>
    readUpstream({ name: 'gpu', url, models: [{ name: 'big', tokenizer }] }, 'upstream')
  const wrong = settingWith(writeTokenizer('[]'))
  await expect(requireTokenizers([wrong], set)).rejects.toThrow(
    /tokenizer of gpu cannot be used: .*is not a JSON object/,
  )
  await expect(requireTokenizers([settingWith(writeGguf(Buffer.from('GGUF')))], set)).rejects.toThrow(
    /tokenizer of gpu cannot be used: .*model\.gguf is truncated/,
  )
  await requireTokenizers([settingWith(writeTokenizer())], set)

  const helix = await startHelix({ config: { upstreams: [settingWith('/nowhere/tokenizer.json')] } })
  expect(await helix.control('POST', '/control/upstreams/gpu/test')).toMatchObject({
    problem: '/nowhere/tokenizer.json does not exist.',
  })
})
