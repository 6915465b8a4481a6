import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'
import { openUnbuiltSite, sayOnPages } from '../harness/unbuilt-site.ts'

type Unbuilt = ReturnType<typeof openUnbuiltSite>

/** A request that is answered once there is something to answer with. */
const visit = async (url: string, { held }: Unbuilt, headers: Record<string, string> = {}) => {
  const before = held.count
  const response = fetch(url, { headers })
  await expect.poll(() => held.count).toBe(before + 1)
  return response
}
const visiting = (...args: Parameters<typeof visit>) => {
  const response = visit(...args)
  return { response, isHeld: expect.poll(() => args[1].held.count).toBeGreaterThan(0) }
}

test('a page that is not built yet is held and answered once it is there, while the API works', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ openSite: () => unbuilt.site })
  const { response, isHeld } = visiting(`${helix.url}/claim`, unbuilt)
  await isHeld
  expect((await helix.chat({})).status).toBe(200)
  unbuilt.become({ kind: 'ready', site: sayOnPages('the form') })
  const page = await response
  expect([page.status, await page.text()]).toEqual([200, 'the form'])
  // The event of the build counts such requests.
  expect(unbuilt.held.count).toBe(1)
  expect((await fetch(helix.url)).status).toBe(200)
  await helix.logged({ event: 'request', path: '/' })
  expect(helix.logLines.filter((line) => line.includes('"/claim"'))).toEqual([])
})

test('the pages that people open first do not wait for the documentation, which is there as a whole or not at all', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ openSite: () => unbuilt.site })
  unbuilt.become({ kind: 'building', site: sayOnPages('the form', { isDraft: true }), files: 300 })
  expect(await (await fetch(`${helix.url}/claim`)).text()).toBe('the form')
  const waiting = ['/docs', '/docs/tools.md', '/llms.txt'].map((path) => fetch(helix.url + path))
  await expect.poll(() => unbuilt.held.count).toBe(3)
  unbuilt.become({ kind: 'ready', site: sayOnPages('everything') })
  for (const response of await Promise.all(waiting))
    expect([response.status, await response.text()]).toEqual([200, 'everything'])
})

test('after 30 seconds a page says how far the build is, and asks by itself, without a refresh that would lose the fragment', async () => {
  const clock = createManualClock()
  const unbuilt = openUnbuiltSite(clock)
  const helix = await startHelix({ clock, openSite: () => unbuilt.site })
  unbuilt.become({ kind: 'building', site: null, files: 123 })
  const { response, isHeld } = visiting(`${helix.url}/claim`, unbuilt, { 'accept-language': 'ja' })
  await isHeld
  clock.advance(30_000)
  const page = await response
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2'])
  const text = await page.text()
  expect(text).toContain('<html lang="ja">')
  expect(text).toContain('123個のファイル')
  expect(text).not.toContain('http-equiv')
  const policy = page.headers.get('content-security-policy')
  for (const name of ['style', 'script']) {
    const inline = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(text)?.[1] ?? ''
    expect(policy).toContain(`${name}-src 'self' 'sha256-${createHash('sha256').update(inline).digest('base64')}'`)
  }
})

test('at most 100 requests are held at once, and one that asks how far the build is never', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ openSite: () => unbuilt.site })
  const asks = await fetch(`${helix.url}/claim`, { headers: { prefer: 'wait=0' } })
  expect(asks.status).toBe(503)
  const held = Array.from({ length: 100 }, () => fetch(`${helix.url}/claim`))
  await expect.poll(() => unbuilt.held.count).toBe(101)
  expect((await fetch(`${helix.url}/claim`)).status).toBe(503)
  unbuilt.become({ kind: 'ready', site: sayOnPages('the form') })
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
})

test('a build that fails answers what is held at once, with its error and what to do', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ openSite: () => unbuilt.site })
  const { response, isHeld } = visiting(`${helix.url}/claim`, unbuilt)
  await isHeld
  unbuilt.become({ kind: 'absent', site: null, failure: 'Error: no <such> word' })
  const page = await response
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, null])
  const text = await page.text()
  expect(text).toContain('Error: no &#60;such&#62; word')
  expect(text).toContain('<code>npm run build</code>')
  expect(text).not.toContain('<script>')
})

test('a server that stops ends the requests that it holds', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ config: { shutdownGraceMs: 3_600_000 }, openSite: () => unbuilt.site })
  const { response, isHeld } = visiting(`${helix.url}/claim`, unbuilt)
  await isHeld
  await helix.server.close()
  expect(await readError(await response)).toMatchObject({ code: 'shutting_down' })
})

test('a visitor who leaves frees the place', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ openSite: () => unbuilt.site })
  const leaving = new AbortController()
  const left = Array.from({ length: 100 }, () => fetch(`${helix.url}/claim`, { signal: leaving.signal }))
  const outcomes = Promise.allSettled(left)
  await expect.poll(() => unbuilt.held.count).toBe(100)
  leaving.abort()
  await outcomes
  await expect.poll(() => unbuilt.held.size).toBe(0)
})

test('with workers, requests are held too', async () => {
  const unbuilt = openUnbuiltSite()
  const helix = await startHelix({ config: { workers: 2 }, openSite: () => unbuilt.site })
  const { response, isHeld } = visiting(`${helix.url}/claim`, unbuilt)
  await isHeld
  unbuilt.become({ kind: 'ready', site: sayOnPages('the form') })
  expect(await (await response).text()).toBe('the form')
})

test('once the pages are built, the link that makes somebody the owner is named again, unless there is an owner', async () => {
  const [unbuilt, claimed] = [openUnbuiltSite(), openUnbuiltSite()]
  const helix = await startHelix({ openSite: () => unbuilt.site })
  unbuilt.become({ kind: 'ready', site: sayOnPages('the form') })
  expect(await helix.server.claimUrlOnceBuilt).toBe(helix.server.claimUrl)
  expect(helix.server.claimUrl).toContain('/claim#')
  const other = await startHelix({ openSite: () => claimed.site })
  await claimServer(other)
  claimed.become({ kind: 'ready', site: sayOnPages('the form') })
  expect(await other.server.claimUrlOnceBuilt).toBeNull()
})
