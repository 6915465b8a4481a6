import { expect, test } from 'vitest'
import { readRows } from '../harness/ledger-rows.ts'
import { postResponses } from '../harness/post-responses.ts'
import { readEvents } from '../harness/read-events.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'
import { startWithUpstreams } from '../harness/upstream-helix.ts'

type Fields = Record<string, unknown>
type ResponseBody = { id: string; model: string; output: { id: string; type: string }[]; usage: Fields }

/** One Helix as the upstream of another, both on sockets. */
const start = async () => {
  const answer = ['<think>', 'Hm', '.', '</think>', 'It is ', 'blue', '.']
  const inner = await startHelix({ answer: () => answer, engine: { model: { features: new Set(['reasoning']) } } })
  const outer = await startWithUpstreams([
    {
      ...{ name: 'inner', preset: 'helix', url: inner.baseUrl, key: inner.key },
      models: [{ name: 'far', upstreamName: modelName }],
    },
  ])
  return { inner, outer }
}
const ask = { model: 'far', input: 'What is up?' }

test('a response comes as a whole and in a stream as the other Helix writes it, and only the first one stores it', async () => {
  const { inner, outer } = await start()
  const whole = (await (await postResponses(outer, ask)).json()) as ResponseBody
  expect(whole).toMatchObject({
    model: 'far',
    output: [
      { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'It is blue.' }] },
    ],
  })
  const sent = await readEvents(await postResponses(outer, { ...ask, stream: true }))
  const events = sent.map((data) => JSON.parse(data) as { type: string; response: ResponseBody })
  const streamed = events.at(-1)?.response
  const texts = (output: unknown): unknown =>
    JSON.parse(JSON.stringify(output, (key, value) => (key === 'id' ? 0 : value)))
  expect(texts(streamed?.output)).toEqual(texts(whole.output))
  expect(streamed?.usage).toEqual(whole.usage)
  expect(events.filter(({ type }) => type === 'response.output_text.delta').length).toBeGreaterThan(1)

  const next = await postResponses(outer, { ...ask, previous_response_id: whole.id, input: 'And now?' })
  expect(next.status).toBe(200)
  const [ofInner, ofOuter] = [await readRows(inner), await readRows(outer)]
  const counts = ({ settlement }: (typeof ofInner)[number]) => [settlement?.promptTokens, settlement?.completionTokens]
  expect(ofInner).toHaveLength(3)
  expect(ofInner.map(({ endpoint }) => endpoint)).toEqual(['responses', 'responses', 'responses'])
  expect(ofOuter.map(counts)).toEqual(ofInner.map(counts))
  const kept = await fetch(`${outer.baseUrl}/responses/${whole.id}`, { headers: outer.authorized })
  expect((await kept.json()) as ResponseBody).toEqual(whole)
  for (const { id } of whole.output) {
    const referring = {
      model: modelName,
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'Hi' },
      ],
    }
    expect((await postResponses(inner, referring)).status).toBe(404)
  }
})

test('a client that leaves ends the work of both', async () => {
  const inner = await startHelix({ answer: () => ['first', { pause: new Promise<never>(() => {}) }] })
  const outer = await startWithUpstreams([
    {
      ...{ name: 'inner', preset: 'helix', url: inner.baseUrl, key: inner.key },
      models: [{ name: 'far', upstreamName: modelName }],
    },
  ])
  const leaving = new AbortController()
  const response = await fetch(`${outer.baseUrl}/responses`, {
    ...{ method: 'POST', headers: outer.authorized, signal: leaving.signal },
    body: JSON.stringify({ ...ask, stream: true }),
  })
  const reader = response.body?.getReader()
  let seen = ''
  while (!seen.includes('first')) seen += new TextDecoder().decode((await reader?.read())?.value)
  leaving.abort()
  await expect
    .poll(async () =>
      [...(await readRows(inner)), ...(await readRows(outer))].map(({ settlement }) => settlement?.outcome),
    )
    .toEqual(['client_closed', 'client_closed'])
})
