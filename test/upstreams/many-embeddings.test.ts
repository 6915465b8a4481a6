import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { upstreamKinds } from '../../src/config/upstream-names.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

type Asked = { input: string[]; encoding_format?: string }
/** What an upstream answers to inputs: a status, or vectors. */
type Answer = (asked: Asked) => number | { data: unknown[]; usage?: unknown }

const base64 = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
/** Of the number that an input is, and a half. Answers in the encoding that was asked for, the last one first. */
const embed: Answer = ({ input, encoding_format }) => {
  const data = input.map((text, index) => {
    const vector = vectorOf(text)
    return { index, embedding: encoding_format === 'base64' ? base64(vector) : vector }
  })
  return { data: data.reverse(), usage: { prompt_tokens: input.length } }
}
const vectorOf = (text: string, length = 2): number[] =>
  Array.from({ length }, (_, index) => (index === 0 ? (Number(text) % 512) / 512 : 0.5))
const asNumbers: Answer = (asked) => embed({ input: asked.input })

const startEmbedder = async (answer: Answer) => {
  const upstream = await startUpstream((response, { url, body }) => {
    if (!url.endsWith('/embeddings')) return response.end('{"data":[]}')
    const answered = answer(body as Asked)
    if (typeof answered === 'number')
      return response.writeHead(answered).end('{"error":{"message":"encoding_format is not supported"}}')
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
  })
  /** Of the requests so far: how many inputs each had, and in which encoding it asked. */
  const asked = () => upstream.asked.filter(({ url }) => url.endsWith('/embeddings')).map(({ body }) => body as Asked)
  return {
    ...upstream,
    inputs: () => asked().map(({ input }) => input.length),
    encodings: () => asked().map(({ encoding_format }) => encoding_format),
  }
}
const models = [{ name: 'embedder', kind: 'embedding' }]
const start = async (answer: Answer, more: object = {}) => {
  const upstream = await startEmbedder(answer)
  return { upstream, helix: await startWithUpstreams([{ name: 'hosted', url: upstream.baseUrl, models, ...more }]) }
}
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index))
const embeddings = (body: Record<string, unknown>): unknown[] =>
  (body.data as { index: number; embedding: unknown }[]).map(({ index, embedding }) => [index, embedding])

test('many inputs go to an upstream 256 at a time, and are answered and billed as one request', async () => {
  const { helix, upstream } = await start(embed)
  const input = numbered(600)
  const { body } = await postJson(helix, '/embeddings', { model: 'embedder', input })
  expect(upstream.inputs()).toEqual([256, 256, 88])
  expect(embeddings(body)).toEqual(input.map((text, index) => [index, vectorOf(text)]))
  expect(body.usage).toEqual({ prompt_tokens: 600, total_tokens: 600 })
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement)).toMatchObject([{ promptTokens: 600, outcome: 'completed' }])
})

test('if one of the parts has no count, only that part is estimated', async () => {
  const { helix } = await start((asked) => {
    const answer = embed(asked)
    return typeof answer === 'number' || asked.input.length === 256 ? answer : { data: answer.data }
  })
  await postJson(helix, '/embeddings', {
    model: 'embedder',
    input: [...numbered(256), `${'0'.repeat(49)}7`],
  })
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ promptTokens: expect.any(Number), isEstimated: true })
  expect(row?.settlement?.promptTokens).toBeGreaterThan(256)
  expect(row?.settlement?.promptTokens).toBeLessThan(256 + 50)
})

test('a part that fails ends the request: no further one is sent, and nothing is billed', async () => {
  const { helix, upstream } = await start((asked) => (asked.input[0] === '256' ? 500 : embed(asked)))
  const { status, body } = await postJson(helix, '/embeddings', { model: 'embedder', input: numbered(600) })
  expect([status, body.error?.code]).toEqual([502, 'upstream_failed'])
  expect(upstream.inputs()).toEqual([256, 256])
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ promptTokens: 0, outcome: 'failed' })
})

test('vectors of different lengths in two parts are a fault of the upstream', async () => {
  const { helix } = await start(({ input }) => ({
    data: input.map((text, index) => ({ index, embedding: vectorOf(text, input.length) })),
  }))
  const { status } = await postJson(helix, '/embeddings', { model: 'embedder', input: numbered(300) })
  expect(status).toBe(502)
})

test('another upstream computes all parts if one fails in the middle, and only its count is billed', async () => {
  const broken = await startEmbedder((asked) => (asked.input.length < 256 ? 500 : embed(asked)))
  const working = await startEmbedder(embed)
  const [model] = models
  const helix = await startWithUpstreams([
    { name: 'broken', url: broken.baseUrl, models: [{ ...model, weight: 100 }] },
    { name: 'working', url: working.baseUrl, models: [{ ...model, weight: 0.01 }] },
  ])
  const { status, body } = await postJson(helix, '/embeddings', { model: 'embedder', input: numbered(300) })
  expect([status, broken.inputs(), working.inputs()]).toEqual([200, [256, 44], [256, 44]])
  expect(body.usage).toMatchObject({ prompt_tokens: 300 })
})

test('upstreams of every kind are asked for Base64', async () => {
  const upstream = await startEmbedder(embed)
  const kinds = upstreamKinds.filter((kind) => kind !== 'anthropic')
  const entries = kinds.map((kind) => ({
    name: kind,
    url: upstream.baseUrl,
    kind,
    models: [{ name: kind, kind: 'embedding' }],
  }))
  const helix = await startWithUpstreams(entries)
  for (const kind of kinds) {
    const { body } = await postJson(helix, '/embeddings', { model: kind, input: ['3'] })
    expect([kind, embeddings(body)]).toEqual([kind, [[0, vectorOf('3')]]])
  }
  expect(upstream.encodings()).toEqual(kinds.map(() => 'base64'))
})

test('an upstream that refuses Base64 is asked again without, and from then on never with it', async () => {
  const { helix, upstream } = await start((asked) => (asked.encoding_format === undefined ? embed(asked) : 422))
  for (const _ of [1, 2]) {
    const { body } = await postJson(helix, '/embeddings', { model: 'embedder', input: numbered(300) })
    expect(embeddings(body).at(-1)).toEqual([299, vectorOf('299')])
  }
  expect(upstream.encodings()).toEqual(['base64', undefined, undefined, undefined, undefined])
})

test('an upstream that sends numbers in any case is asked once', async () => {
  const { helix, upstream } = await start(asNumbers)
  for (const _ of [1, 2])
    expect(await postJson(helix, '/embeddings', { model: 'embedder', input: ['3'] })).toMatchObject({ status: 200 })
  expect(upstream.encodings()).toEqual(['base64', 'base64'])
})

test('a request that is refused in both encodings is refused, and says nothing about the encoding', async () => {
  const { helix, upstream } = await start((asked) => (asked.input[0] === 'bad' ? 400 : embed(asked)))
  const refused = await postJson(helix, '/embeddings', { model: 'embedder', input: ['bad'] })
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'upstream_refused'])
  await postJson(helix, '/embeddings', { model: 'embedder', input: ['3'] })
  // From now on a refusal has another reason.
  await postJson(helix, '/embeddings', { model: 'embedder', input: ['bad'] })
  expect(upstream.encodings()).toEqual(['base64', undefined, 'base64', 'base64'])
})

/** Long answers are read on a thread, and long responses written on another. */
const wide = (input: string[], isBase64: boolean) => ({
  data: input.map((text, index) => {
    const vector = vectorOf(text, 600)
    return { index, embedding: isBase64 ? base64(vector) : vector }
  }),
  usage: { prompt_tokens: input.length },
})

test.each(['float', 'base64'])(
  'long answers, in Base64 or in numbers, are passed on as %s',
  async (encoding_format) => {
    for (const isBase64 of [true, false]) {
      const { helix } = await start(({ input }) => wide(input, isBase64))
      const input = numbered(300)
      const asked = { model: 'embedder', input, encoding_format, dimensions: 600 }
      const { body } = await postJson(helix, '/embeddings', asked)
      const expected = input
        .map((text) => vectorOf(text, 600))
        .map((one) => (encoding_format === 'float' ? one : base64(one)))
      expect(embeddings(body)).toEqual(expected.map((one, index) => [index, one]))
    }
  },
)

/** In a thread of its own, so that an answer arrives while another is read. */
const startBesideEmbedder = async (): Promise<string> => {
  const worker = new Worker(
    `const { createServer } = require('node:http')
    const { parentPort } = require('node:worker_threads')
    const embedding = Array.from({ length: 1536 }, (_, at) => (at + 1) / 3)
    createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const { input = [] } = JSON.parse(body || '{}')
      const data = input.map((_, index) => ({ index, embedding }))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
    }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`,
    { eval: true },
  )
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = await once(worker, 'message')
  return `http://127.0.0.1:${port}/v1`
}

test('answers that arrive faster than they are read stay whole', async () => {
  const helix = await startWithUpstreams([{ name: 'hosted', url: await startBesideEmbedder(), models }])
  const asked = { model: 'embedder', input: numbered(256), encoding_format: 'base64', dimensions: 2 }
  const answers = await Promise.all(Array.from({ length: 4 }, () => postJson(helix, '/embeddings', asked)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('a long text and many token ids arrive as they were sent', async () => {
  const inputs: unknown[] = ['"é\\ud83d\\ude00\\n'.repeat(20_000), Array.from({ length: 30_000 }, (_, index) => index)]
  const { helix, upstream } = await start(({ input }) => ({
    data: input.map((_, index) => ({ index, embedding: [1] })),
  }))
  expect((await postJson(helix, '/embeddings', { model: 'embedder', input: inputs })).status).toBe(200)
  expect(upstream.asked.at(-1)?.body.input).toEqual(inputs)
})
