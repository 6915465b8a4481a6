import { describe, expect, test } from 'vitest'
import { claimServer, openBrowser } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { type LiveEvents, liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'

/** Says two tokens; if the prompt is "wait", then nothing more until it is stopped. */
async function* answer(messages: readonly { content: unknown }[]) {
  yield* ['Once', ' upon']
  if (JSON.stringify(messages).includes('wait')) await new Promise(() => {})
}

const ask = ({ baseUrl }: Helix, key: string, body: Record<string, unknown> = {}, headers = {}) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })

const waiting = { stream: true, messages: [{ role: 'user', content: 'wait' }] }

type Created = { key: string; id: string; record?: { id: string } }
const createKey = async (helix: Helix): Promise<Created> =>
  (await helix.control('POST', '/control/keys', { name: 'more' })) as Created

/** A stream at this node that has begun and does not end by itself. */
const openStream = async (helix: Helix, key: string): Promise<LiveEvents> => {
  const events = liveEvents(await ask(helix, key, waiting))
  await events.until(' upon')
  return events
}

const lastError = async (events: LiveEvents): Promise<string | undefined> => {
  const last = (await events.rest()).at(-1)
  return last === undefined ? undefined : JSON.parse(last.data).error?.code
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe.skipIf(!hasCluster)('a change at one node', () => {
  test('settings that were saved at one node apply at another, as soon as it is told', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const owner = await claimServer(node(1))
    const changes = { requestsPerMinute: 1, signUp: 'closed' }
    expect((await owner.post('/admin/settings', { changes })).status).toBe(200)
    await expect.poll(async () => (await (await openBrowser(node(2).url)).load()).signUp).toBe('closed')
    expect((await ask(node(2), node(1).key)).status).toBe(200)
    expect((await ask(node(2), node(1).key)).status).toBe(429)
  })

  test('keys that were created at one node work at another', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    expect((await ask(node(2), node(1).key)).status).toBe(200)
    const { key } = await createKey(node(2))
    expect((await ask(node(1), key)).status).toBe(200)
  })

  test.each([
    ['revoked', 'revoke', {}, 'invalid_api_key'],
    ['rotated without a grace period', 'rotate', { graceMs: 0 }, 'invalid_api_key'],
    ['suspended', 'suspend', {}, 'key_suspended'],
  ])('a stream ends when its key is %s at another node', async (_, act, body, code) => {
    const { node } = await startCluster({ nodes: 2, answer })
    const { id, key } = await createKey(node(1))
    const events = await openStream(node(2), key)
    await node(1).control('POST', `/control/keys/${id}/${act}`, body)
    expect(await lastError(events)).toBe(code)
    expect((await ask(node(2), key)).ok).toBe(false)
    expect((await ask(node(2), node(1).key)).status).toBe(200)
  })

  test.each([
    ['revoked', 'revoke', {}],
    ['rotated without a grace period', 'rotate', { graceMs: 0 }],
  ])('an answer with an Idempotency-Key ends when its key is %s at another node', async (_, act, body) => {
    // It would go on for longer than this test lasts, without a connection.
    const { node, outcome } = await startCluster({ nodes: 2, answer, config: { resumeGraceMs: 3_600_000 } })
    const { id, key } = await createKey(node(1))
    const response = await ask(node(2), key, waiting, { 'idempotency-key': 'once' })
    const events = liveEvents(response)
    await events.until(' upon')
    await node(1).control('POST', `/control/keys/${id}/${act}`, body)
    expect(await lastError(events)).toBe('invalid_api_key')
    const requestId = response.headers.get('x-request-id') ?? ''
    await expect.poll(() => outcome(requestId), { timeout: 60_000 }).not.toBeNull()
  })

  test('a stream ends when its organisation is suspended at another node, and keys work again once it is resumed', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const { data } = (await node(1).control('GET', '/control/organisations')) as { data: { id: string }[] }
    const organisation = data[0]?.id ?? ''
    const events = await openStream(node(2), node(1).key)
    await node(1).control('POST', `/control/organisations/${organisation}/suspend`)
    expect(await lastError(events)).toBe('organisation_suspended')
    expect(await readError(await ask(node(2), node(1).key))).toMatchObject({ code: 'organisation_suspended' })
    await node(1).control('POST', `/control/organisations/${organisation}/resume`)
    while ((await ask(node(2), node(1).key)).status !== 200) await turn()
  })

  test('a stream of a revoked key ends within ten seconds although no message arrives', async () => {
    const clock = createManualClock()
    const { node, exec } = await startCluster({
      nodes: 2,
      answer,
      each: (number) => (number === 2 ? { clock } : {}),
    })
    const { id, key } = await createKey(node(1))
    const events = await openStream(node(2), key)
    await exec(`UPDATE api_keys SET revoked_at = 1 WHERE id = '${id}'`)
    clock.advance(10_000)
    expect(await lastError(events)).toBe('invalid_api_key')
  })

  test('limits apply at every node as soon as they are changed at one', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const { data } = (await node(1).control('GET', '/control/organisations')) as { data: { id: string }[] }
    const limits = (at: number) => node(at).control('GET', `/control/limits/${data[0]?.id}`)
    await node(1).control('POST', `/control/limits/${data[0]?.id}`, { requestsPerMinute: 77 })
    while (!JSON.stringify(await limits(2)).includes('77')) await turn()
  })

  test('the list of upstreams is the same at every node', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const named = async (at: number): Promise<string> =>
      JSON.stringify(await node(at).control('GET', '/control/upstreams'))
    const wanted = { name: 'spare', url: 'http://127.0.0.1:1/v1', models: [{ name: 'other' }] }
    expect(await node(1).control('POST', '/control/upstreams', wanted)).not.toHaveProperty('error')
    while (!(await named(2)).includes('"spare"')) await turn()
    await node(2).control('POST', '/control/upstreams/spare/drain')
    while (!/"isDraining":true|"draining":true/i.test(await named(1))) await turn()
    await node(1).control('POST', '/control/upstreams/spare/remove')
    while ((await named(2)).includes('"spare"')) await turn()
  })

  test('prompts and answers are stored at every node once this is switched on at one, and no more once it is off', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const owner = await claimServer(node(1))
    const stored = async (id: string) =>
      (await (await owner.get(`/requests/${id}/bodies`)).json()) as { request: unknown; answer: unknown }
    const askAt2 = async (): Promise<string> => {
      const response = await ask(node(2), owner.firstKey.key)
      await response.text()
      return response.headers.get('x-request-id') ?? ''
    }
    expect((await owner.post('/organisation/bodies', { days: 1 })).status).toBe(204)
    for (let id = await askAt2(), looks = 0; (await stored(id)).answer === null; looks += 1) {
      await turn()
      // The request may have come before the message.
      if (looks % 50 === 49) id = await askAt2()
    }
    expect((await owner.post('/organisation/bodies', { days: null })).status).toBe(204)
    expect(await stored(await askAt2())).toMatchObject({ request: null, answer: null })
  })

  test('the live log shows the requests of every node', async () => {
    const { node } = await startCluster({ nodes: 2, answer })
    const owner = await claimServer(node(1))
    const elsewhere = await openBrowser(node(2).url)
    for (const [name, value] of owner.cookies) elsewhere.cookies.set(name, value)
    const events = liveEvents(await elsewhere.get('/requests/events'))
    await events.next()
    const asked = await ask(node(1), owner.firstKey.key)
    const id = asked.headers.get('x-request-id') ?? ''
    for (let event = await events.next(); !event?.data.includes(id); event = await events.next())
      expect(event).not.toBeNull()
    await events.leave()
  })
})
