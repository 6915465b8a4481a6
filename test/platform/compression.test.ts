import { beforeAll, expect, test } from 'vitest'
import { type BrowserSession, claimServer, openBrowser } from '../harness/browser-session.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openHelix({})
  owner = await claimServer(helix)
  for (const name of ['one', 'two', 'three']) await owner.post('/keys', { name })
  return helix.close
})

/** The bytes on the wire and how they are packed; `fetch` unpacks what it reads. */
const read = async (browser: BrowserSession, path: string, headers: Record<string, string> = {}) => {
  const response = await browser.get(path, headers)
  const sentBytes = Number(response.headers.get('content-length'))
  return { encoding: response.headers.get('content-encoding'), sentBytes, text: await response.text(), response }
}

test.each(['br', 'gzip'])('responses to a page are compressed with %s if the browser accepts it', async (encoding) => {
  const plain = await read(owner, '/keys', { 'accept-encoding': 'identity' })
  expect(plain.encoding).toBeNull()
  const packed = await read(owner, '/keys', { 'accept-encoding': encoding })
  expect(packed.encoding).toBe(encoding)
  expect(packed.response.headers.get('vary')).toBe('Accept-Encoding')
  expect(packed.text).toBe(plain.text)
  expect(packed.sentBytes).toBeLessThan(plain.sentBytes / 2)
})

test('small responses, and those to other sites, are not compressed', async () => {
  const packs = { 'accept-encoding': 'br, gzip' }
  expect((await read(owner, '/account/sign-in-methods', packs)).encoding).toBeNull()
  expect((await read(owner, '/keys', { ...packs, 'sec-fetch-site': 'same-origin' })).encoding).toBe('br')
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await read(owner, '/keys', { ...packs, 'sec-fetch-site': site })).encoding).toBeNull()
})

test('responses with secrets are never compressed', async () => {
  const packs = { 'accept-encoding': 'br, gzip' }
  const session = await read(owner, '/session', packs)
  expect(session.text).toContain(owner.csrfToken())
  expect(session.encoding).toBeNull()
  const made = await owner.post('/keys', { name: 'x'.repeat(100), networks: manyNetworks }, packs)
  expect(made.status).toBe(201)
  expect(Number(made.headers.get('content-length'))).toBeGreaterThan(1024)
  expect(made.headers.get('content-encoding')).toBeNull()
  const visitor = await openBrowser(helix.url)
  expect((await read(visitor, '/session', packs)).encoding).toBeNull()
})

const manyNetworks = Array.from({ length: 90 }, (_, index) => `10.${index}.0.0/16`)

test('responses of the API are not compressed', async () => {
  const headers = {
    authorization: `Bearer ${owner.firstKey.key}`,
    'content-type': 'application/json',
    'accept-encoding': 'br, gzip',
  }
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'x'.repeat(3000) }] })
  const answer = await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-encoding')).toBeNull()
  const document = await fetch(`${helix.baseUrl}/openapi.json`, { headers })
  expect(Number(document.headers.get('content-length'))).toBeGreaterThan(1024)
  expect(document.headers.get('content-encoding')).toBeNull()
})
