import { beforeAll, expect, test } from 'vitest'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  joinAs,
  openBrowser,
  signUp,
} from './harness/browser-session.ts'
import { dataFilesContain } from './harness/data-files-contain.ts'
import { keyedChat } from './harness/keyed-chat.ts'
import { createManualClock, type ManualClock } from './harness/manual-clock.ts'
import { openProvider } from './harness/openid-provider.ts'
import { postResponses } from './harness/post-responses.ts'
import { sayJson, startUpstream } from './harness/scripted-upstream.ts'
import { addPasskey } from './harness/sign-in-methods.ts'
import { type Helix, openHelix } from './harness/start-helix.ts'

let helix: Helix
let clock: ManualClock
let owner: Awaited<ReturnType<typeof claimServer>>
let provider: Awaited<ReturnType<typeof openProvider>>
beforeAll(async () => {
  clock = createManualClock()
  provider = await openProvider({ clock })
  // Passkeys belong to a name, and 127.0.0.1 is none.
  const config = {
    ...provider.settings,
    host: 'localhost',
    signUpsPerHour: 1000,
    auditRetentionDays: 90,
  }
  // The answer repeats the question, so that both contain the canary.
  helix = await openHelix({ clock, config, answer: (messages) => ['You said: ', messages.at(-1)?.content ?? ''] })
  owner = await claimServer(helix)
  return async () => {
    await helix.close()
    await provider.close()
  }
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const member = async (name: string) => signUp(helix.url, `${name}@example.com`)
const say = (canary: string) => ({ messages: [{ role: 'user', content: canary }] })
const idOf = async (response: Response): Promise<string> => {
  expect(response.status).toBeLessThan(300)
  return ((await response.json()) as { id: string }).id
}
/** Saves a conversation of the playground with this text everywhere. Resolves to its id. */
const converse = async (browser: BrowserSession, text: string): Promise<string> => {
  const conversation = { title: text, content: JSON.stringify(text), searchText: text }
  return ((await (await browser.post('/playground/conversations', conversation)).json()) as { id: string }).id
}
const ok = async (response: Response): Promise<void> => {
  expect([response.status, await response.text()]).toEqual([
    expect.toSatisfy((status) => status < 300),
    expect.anything(),
  ])
}
const call = (method: string, path: string, body?: unknown) =>
  fetch(helix.url + path, {
    method,
    headers: helix.authorized,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const holds = (canary: string): boolean => dataFilesContain(helix.dataDir, canary)
/** Written or deleted in the background, every half second or hourly: as soon as that has happened. */
const until = async (canary: string, isHeld: boolean, stepMs = 500): Promise<void> => {
  for (; holds(canary) !== isHeld; clock.advance(stepMs)) await helix.get('/v1/models')
}

type Deletion = (canary: string) => Promise<() => unknown>

/** Each stores a text that contains the canary, and returns what deletes it. That is answered when it is gone. */
const answered: Record<string, Deletion> = {
  async 'deleting a stored completion'(canary) {
    const id = await idOf(await helix.chat({ ...say(canary), store: true }))
    return async () => ok(await call('DELETE', `/v1/chat/completions/${id}`))
  },
  async 'deleting a long stored completion that was streamed'(canary) {
    const streamed = await helix.chat({ ...say(`${canary} `.repeat(100)), store: true, stream: true })
    const id = /chatcmpl-\w+/.exec(await streamed.text())?.[0]
    return async () => ok(await call('DELETE', `/v1/chat/completions/${id}`))
  },
  async 'replacing the metadata of a stored completion'(canary) {
    const id = await idOf(await helix.chat({ store: true, metadata: { topic: canary, [canary]: 'topic' } }))
    return async () => ok(await call('POST', `/v1/chat/completions/${id}`, { metadata: { topic: 'other' } }))
  },
  async 'deleting a stored response'(canary) {
    const id = await idOf(await postResponses(helix, { input: canary, instructions: canary, metadata: { a: canary } }))
    return async () => ok(await call('DELETE', `/v1/responses/${id}`))
  },
  async 'overwriting a draft'(canary) {
    await ok(await owner.post('/playground/draft', { content: JSON.stringify(canary.repeat(50)) }))
    return async () => ok(await owner.post('/playground/draft', { content: '{}' }))
  },
  async 'saving the version of a prompt with which the oldest ends'(canary) {
    const created = await owner.post('/prompts', { name: 'x', isShared: false, content: JSON.stringify(canary) })
    const { prompt } = (await created.json()) as { prompt: { id: string } }
    const save = (n: number) => owner.post(`/prompts/${prompt.id}`, { content: `{"n":${n}}` })
    for (let n = 1; n < 50; n += 1) await ok(await save(n))
    return async () => ok(await save(50))
  },
  async 'renaming a prompt'(canary) {
    const created = await owner.post('/prompts', { name: canary, isShared: false, content: '{}' })
    const { prompt } = (await created.json()) as { prompt: { id: string } }
    return async () => ok(await owner.post(`/prompts/${prompt.id}`, { name: 'other' }))
  },
  async 'saving a conversation again'(canary) {
    const id = await converse(owner, canary)
    const saved = { content: '{}', searchText: '', version: 1 }
    return async () => ok(await owner.post(`/playground/conversations/${id}`, { title: 'other', saved }))
  },
  async 'deleting a conversation, with what was shared of it'(canary) {
    const id = await converse(owner, canary)
    await ok(await owner.post(`/playground/conversations/${id}/shares`, { content: JSON.stringify(canary) }))
    return async () => ok(await owner.post(`/playground/conversations/${id}/remove`))
  },
  async 'revoking a link to a conversation'(canary) {
    const id = await converse(owner, 'kept')
    const path = `/playground/conversations/${id}/shares`
    const shared = (await (await owner.post(path, { content: JSON.stringify(canary) })).json()) as { id: string }
    return async () => ok(await owner.post(`/playground/shares/${shared.id}/remove`))
  },
  async 'switching the storage of bodies off'(canary) {
    const anna = await member(`anna-${canary.length}`)
    await ok(await anna.post('/organisation/bodies', { days: 30 }))
    await ok(await helix.chat(say(canary), { headers: bearer(anna.firstKey.key) }))
    await until(canary, true)
    return async () => ok(await anna.post('/organisation/bodies', { days: null }))
  },
  async 'removing a member, with the draft'(canary) {
    const gone = await joinAs(helix.url, owner, 'member', 'gone@example.com')
    await ok(await gone.post('/playground/draft', { content: JSON.stringify(canary) }))
    const { account } = await gone.load()
    return async () => ok(await owner.post(`/organisation/members/${account?.id}/remove`, { revokeKeys: true }))
  },
  async 'deleting an organisation'(canary) {
    const carl = await member('carl')
    const { key } = carl.firstKey
    await ok(await carl.post('/playground/draft', { content: JSON.stringify(canary) }))
    await ok(await carl.post('/prompts', { name: canary, isShared: true, content: JSON.stringify(canary) }))
    await ok(await helix.chat({ ...say(canary), store: true }, { headers: bearer(key) }))
    await ok(await keyedChat({ ...helix, authorized: bearer(key) }, canary, { ...say(canary), stream: true }))
    await ok(await postResponses({ ...helix, authorized: bearer(key) }, { input: canary }))
    await ok(await carl.post('/keys', { name: canary }))
    const { organisation } = await carl.load()
    const confirm = { name: organisation?.name }
    return async () => ok(await carl.post('/organisation/delete', confirm))
  },
  async 'deleting an account'(canary) {
    const dora = await member(canary)
    await ok(await dora.post('/account/profile', { name: canary }))
    await ok(await helix.chat({ ...say(canary), store: true }, { headers: bearer(dora.firstKey.key) }))
    return async () => ok(await dora.post('/account/delete', { password: goodPassword }))
  },
  async 'signing out'(canary) {
    const eve = await openBrowser(helix.url, { 'user-agent': canary })
    await ok(await eve.signIn('owner@example.com'))
    return async () => ok(await eve.post('/sign-out'))
  },
  async 'disconnecting an account at a provider'(canary) {
    provider.state.person = { sub: canary, email: `${canary}@example.com`, email_verified: true, name: 'Ann' }
    const path = '/account/identities/oidc'
    const { url } = (await (await owner.post(`${path}/begin`)).json()) as { url: string }
    const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '')
    await ok(await owner.post(`${path}/finish`, Object.fromEntries(back.searchParams)))
    const methods = await owner.get('/account/sign-in-methods')
    const { identities } = (await methods.json()) as { identities: { id: string }[] }
    return async () => ok(await owner.post(`/account/identities/${identities[0]?.id}/remove`))
  },
  async 'removing an upstream'(canary) {
    const upstream = await startUpstream((response) => sayJson(response, { object: 'list', data: [] }))
    await helix.control('POST', '/control/upstreams', { name: 'gone', url: `${upstream.baseUrl}/${canary}` })
    return () => helix.control('POST', '/control/upstreams/gone/remove')
  },
}

/** These are deleted by the next clean-up once their time has come. */
const expiring: Record<string, Deletion> = {
  async 'an answer that was kept for retries'(canary) {
    await ok(await keyedChat(helix, canary, { ...say(canary), stream: true }))
    return () => clock.advance(dayMs)
  },
  async 'a removed prompt'(canary) {
    const created = await owner.post('/prompts', { name: canary, isShared: false, content: JSON.stringify(canary) })
    const { prompt } = (await created.json()) as { prompt: { id: string } }
    await ok(await owner.post(`/prompts/${prompt.id}/remove`))
    return () => clock.advance(dayMs)
  },
  async 'a conversation of the playground'(canary) {
    const gil = await member('gil')
    await ok(await gil.post('/organisation/bodies', { days: 1 }))
    await converse(gil, canary)
    return () => clock.advance(dayMs + 1)
  },
  async 'the bodies of a request'(canary) {
    const fred = await member('fred')
    await ok(await fred.post('/organisation/bodies', { days: 1 }))
    await ok(await helix.chat(say(canary), { headers: bearer(fred.firstKey.key) }))
    await until(canary, true)
    return () => clock.advance(dayMs)
  },
  /** The audit log has the address as well. */
  async 'an invitation'(canary) {
    const invitation = { role: 'member', send: 'link', email: `${canary}@example.com` }
    await ok(await owner.post('/organisation/invitations', invitation))
    return () => clock.advance(120 * dayMs)
  },
  async 'a session'(canary) {
    const eve = await openBrowser(helix.url, { 'user-agent': canary })
    await ok(await eve.signIn('owner@example.com'))
    return () => clock.advance(120 * dayMs)
  },
  async 'a stored response'(canary) {
    await ok(await postResponses(helix, { input: canary, stream: true }))
    return () => clock.advance(30 * dayMs)
  },
}

const bearer = (key: string) => ({ ...helix.authorized, authorization: `Bearer ${key}` })

let canaries = 0
/** Long enough that nothing else contains it by chance, and a valid name wherever one is wanted. */
const newCanary = (): string => {
  canaries += 1
  return `canary${String(canaries).padStart(3, '0')}xyzzyplughplover`
}

test.each(Object.entries(answered))('after %s, no file of the data directory contains the text', async (_, store) => {
  const canary = newCanary()
  const remove = await store(canary)
  await until(canary, true)
  await remove()
  expect(holds(canary)).toBe(false)
})

test('after removing a passkey, no file of the data directory contains its credential', async () => {
  const { authenticator, id } = await addPasskey(owner, helix.url)
  expect(holds(authenticator.id)).toBe(true)
  await ok(await owner.post(`/account/passkeys/${id}/remove`))
  expect(holds(authenticator.id)).toBe(false)
})

test.each(Object.entries(expiring))(
  'once %s has expired, no file of the data directory contains it',
  async (_, store) => {
    const canary = newCanary()
    const expire = await store(canary)
    await until(canary, true)
    await expire()
    await until(canary, false, hourMs)
  },
)
