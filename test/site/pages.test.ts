import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readBuiltSite } from '../../src/site-server/built-site.ts'
import { noSite } from '../../src/site-server/open-site.ts'
import { appPages, publicPages } from '../../src/site-server/pages.ts'
import { builtSiteFolder } from '../harness/built-site.ts'
import { readError } from '../harness/read-error.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  const site = await readBuiltSite(await builtSiteFolder())
  helix = await openHelix({ openSite: () => ({ ...noSite, state: { kind: 'ready', site } }) })
  return helix.close
})

const visit = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(helix.url + path, { method, headers: { accept: 'text/html,*/*', ...headers }, redirect: 'manual' })

const assetOf = async (pattern: RegExp): Promise<string> => pattern.exec(await (await visit('/')).text())?.[1] ?? ''

test.each([...publicPages, ...appPages])('%s is a page, in both languages', async (path) => {
  for (const language of ['en', 'ja']) {
    const response = await visit(path, { 'accept-language': language })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain(`<html lang="${language}">`)
  }
})

test('a page lets nothing run that is not ours, and nobody frame it', async () => {
  const { headers } = await visit('/')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('strict-transport-security')).toBeNull()
})

test('under TLS, HSTS tells the browser to use HTTPS from now on', async () => {
  const secure = await startHelix({
    config: { trustedProxies: ['loopback'] },
    openSite: () => noSite,
  })
  const response = await fetch(secure.url, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' },
  })
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('the language of the address is remembered, and a choice beats the browser', async () => {
  const asked = await visit('/docs?lang=ja')
  expect(await asked.text()).toContain('<html lang="ja">')
  const cookie = asked.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^helix_language=ja; Path=\/; Max-Age=31536000; SameSite=Lax$/)
  const next = await visit('/docs', { cookie: cookie.split(';')[0] ?? '', 'accept-language': 'en' })
  expect(await next.text()).toContain('<html lang="ja">')
  expect(next.headers.get('set-cookie')).toBeNull()
  expect(next.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
})

test('the address that the reader used stands in the code to copy', async () => {
  const html = await (await visit('/docs')).text()
  expect(html).toContain(`${helix.url}/v1`)
  expect(html).not.toContain('{{origin}}')
})

test('the default model of the server stands in the code to copy, in both languages and as Markdown', async () => {
  const site = await readBuiltSite(await builtSiteFolder())
  const { open } = scriptModels([{ id: 'other' }, { id: 'acme/small&fast', isDefault: true }])
  const other = await startHelix({
    openModels: (config) => open(config, systemClock),
    openSite: () => ({ ...noSite, state: { kind: 'ready', site } }),
  })
  const read = async (path: string) => (await fetch(other.url + path)).text()
  for (const path of ['/', '/docs', '/docs?lang=ja', '/docs/api/chat-completions'])
    expect(await read(path)).toMatch(/<span data-own="model">(<span \w+="\w+">)?acme\/small&#38;fast</)
  expect(await read('/docs/tools.md')).toContain('"model": "acme/small&fast"')
  expect(await (await visit('/docs')).text()).toMatch(/<span data-own="model">(<span \w+="\w+">)?helix-v1</)
})

test('a host name that is none does not get into the page', async () => {
  const { body } = await rawGet(`${helix.url}/docs`, { host: '"><script>x</script>' })
  expect(body.toString()).not.toContain('<script>x')
})

test('a page that was read before is not sent again', async () => {
  const first = await visit('/')
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const again = await visit('/', { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  expect((await visit('/', { 'if-none-match': first.headers.get('etag') ?? '', 'accept-language': 'ja' })).status).toBe(
    200,
  )
})

test('HEAD says the same as GET and sends nothing', async () => {
  for (const path of ['/', await assetOf(/src="(\/assets\/pages[^"]+)"/)]) {
    const plain = { 'accept-encoding': 'identity' }
    const [head, whole] = [await visit(path, plain, 'HEAD'), await visit(path, plain)]
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength))
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
  }
})

test('built files are kept for a year, and packed as the client takes them', async () => {
  const path = await assetOf(/src="(\/assets\/pages[^"]+)"/)
  const plain = await visit(path, { 'accept-encoding': 'identity' })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  const text = await plain.text()
  const packed = (coding: string) => rawGet(helix.url + path, { 'accept-encoding': coding })
  const [br, gzip] = [await packed('br'), await packed('gzip')]
  expect([br.encoding, gzip.encoding]).toEqual(['br', 'gzip'])
  expect(brotliDecompressSync(br.body).toString()).toBe(text)
  expect(gunzipSync(gzip.body).toString()).toBe(text)
})

test.each([
  ['/assets/nothing.js'],
  ['/assets/..%2findex.json'],
  ['/assets/%2e%2e%2fmanifest.json'],
  ['/assets/..%5c..%5cpackage.json'],
  ['/assets/x%00.js'],
])('%s is not there', async (path) => {
  const response = await visit(path)
  expect(response.status).toBe(404)
  expect(await readError(response)).toMatchObject({ code: 'unknown_url' })
})

test('an address that ends in a slash leads to its page, with what it asks for, and nowhere else', async () => {
  const response = await visit('/docs/streaming/?lang=ja')
  expect([response.status, response.headers.get('location')]).toEqual([308, '/docs/streaming?lang=ja'])
  for (const path of ['/nowhere/', '//example.com/', '/docs/streaming//']) expect((await visit(path)).status).toBe(404)
})

test('a person at an unknown address sees a page, a program gets the error object', async () => {
  const person = await visit('/nowhere', { 'accept-language': 'ja' })
  expect(person.status).toBe(404)
  expect(await person.text()).toContain('ページが見つかりません')
  expect(person.headers.get('content-security-policy')).toContain("default-src 'none'")
  const program = await fetch(`${helix.url}/nowhere`)
  expect(await readError(program)).toMatchObject({ code: 'unknown_url' })
  for (const path of ['/v1/nowhere', '/platform/nowhere', '/control/keys'])
    expect(await readError(await visit(path)), path).toMatchObject({ code: 'unknown_url' })
  expect((await visit('/nowhere', {}, 'POST')).headers.get('content-type')).toBe('application/json')
})

test('where there are no pages, the first one says how to get them', async () => {
  const bare = await startHelix()
  const page = await fetch(bare.url)
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBeNull()
  expect(await page.text()).toContain('npm ci')
})

/** As it came over the wire: fetch would unpack it, and knows better than to send such a host. */
const rawGet = (url: string, headers: Record<string, string>): Promise<{ encoding: string; body: Buffer }> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => {
      const encoding = String(response.headers['content-encoding'] ?? 'identity')
      resolve({ encoding, body: Buffer.concat(await response.toArray()) })
    }).on('error', reject)
  })
