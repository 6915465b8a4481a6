import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, joinAs, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Helix, modelName, startHelix } from '../harness/start-helix.ts'

const open = async (options: Parameters<typeof startHelix>[0] = {}) => {
  const helix = await startHelix({ config: { signUpsPerHour: 1000 }, ...options })
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  return { helix, owner, anna }
}
const ask = (
  { baseUrl }: Helix,
  key: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })
const codeOf = async (response: Response): Promise<[number, string | null]> => [
  response.status,
  response.ok ? null : (await readError(response)).code,
]
const organisationOf = async (browser: BrowserSession): Promise<string> => (await browser.load()).organisation?.id ?? ''
const accountOf = async (browser: BrowserSession): Promise<string> => (await browser.load()).account?.id ?? ''

test('a suspended account is refused everywhere at once, and works as before once it is resumed', async () => {
  const { helix, owner, anna } = await open()
  const id = await accountOf(anna)
  expect((await ask(helix, anna.firstKey.key)).status).toBe(200)
  expect((await owner.post(`/admin/accounts/${id}/suspend`)).status).toBe(204)
  expect(await codeOf(await ask(helix, anna.firstKey.key))).toEqual([403, 'account_suspended'])
  expect(await codeOf(await anna.get('/keys'))).toEqual([403, 'account_suspended'])
  expect(await codeOf(await anna.get('/account/sessions'))).toEqual([403, 'account_suspended'])
  expect(await anna.load()).toMatchObject({ account: null, suspended: true })
  const elsewhere = await openBrowser(helix.url)
  expect(await codeOf(await elsewhere.signIn('anna@example.com'))).toEqual([403, 'account_suspended'])
  expect(await codeOf(await elsewhere.signIn('anna@example.com', 'a wrong password'))).toEqual([
    401,
    'wrong_credentials',
  ])
  expect((await owner.post(`/admin/accounts/${id}/resume`)).status).toBe(204)
  expect((await ask(helix, anna.firstKey.key)).status).toBe(200)
  expect(await anna.load()).toMatchObject({ account: { email: 'anna@example.com' }, suspended: false })
})

test('keys that a suspended user created in other organisations stop too, and those of others keep working', async () => {
  const { helix, owner, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  await owner.post(`/admin/accounts/${await accountOf(ben)}/suspend`)
  expect(await codeOf(await ask(helix, ben.firstKey.key))).toEqual([403, 'account_suspended'])
  expect((await ask(helix, anna.firstKey.key)).status).toBe(200)
})

test('a suspended organisation stops for all its members, who can switch to another', async () => {
  const { helix, owner, anna } = await open()
  const ben = await signUp(helix.url, 'ben@example.com')
  const home = await organisationOf(ben)
  const invited = await anna.post('/organisation/invitations', { role: 'member', send: 'link' })
  const token = tokenOf(((await invited.json()) as { url: string }).url)
  await ben.post('/invitations/accept', { token })
  const second = await anna.post('/organisation/invitations', { role: 'member', send: 'link' })
  const left = tokenOf(((await second.json()) as { url: string }).url)
  await owner.post(`/admin/organisations/${await organisationOf(anna)}/suspend`)
  expect(await codeOf(await ask(helix, anna.firstKey.key))).toEqual([403, 'organisation_suspended'])
  for (const person of [anna, ben])
    expect(await codeOf(await person.get('/keys'))).toEqual([403, 'organisation_suspended'])
  expect(await ben.load()).toMatchObject({ account: {}, organisation: { suspendedAt: expect.any(Number) } })
  const stranger = await openBrowser(helix.url)
  expect(await codeOf(await stranger.post('/invitations/look', { token: left }))).toEqual([
    403,
    'organisation_suspended',
  ])
  expect((await ben.post(`/organisations/${home}/switch`)).status).toBe(204)
  expect((await ben.get('/keys')).status).toBe(200)
  expect((await ask(helix, ben.firstKey.key)).status).toBe(200)
})

test('a single key can be suspended', async () => {
  const { helix, owner, anna } = await open()
  const made = (await (await anna.post('/keys', { name: 'second' })).json()) as { id: string; key: string }
  expect((await ask(helix, made.key)).status).toBe(200)
  await owner.post(`/admin/keys/${made.id}/suspend`)
  expect(await codeOf(await ask(helix, made.key))).toEqual([403, 'key_suspended'])
  expect((await ask(helix, anna.firstKey.key)).status).toBe(200)
  await owner.post(`/admin/keys/${made.id}/resume`)
  expect((await ask(helix, made.key)).status).toBe(200)
})

test.each(['key', 'account', 'organisation'] as const)('a running stream of a suspended %s ends', async (thing) => {
  const started = Promise.withResolvers<void>()
  async function* forever() {
    yield 'Once'
    started.resolve()
    await new Promise(() => {})
  }
  const { helix, owner, anna } = await open({ answer: () => forever() })
  const ids = { key: anna.firstKey.id, account: await accountOf(anna), organisation: await organisationOf(anna) }
  const response = await ask(helix, anna.firstKey.key, { stream: true })
  const read = readEvents(response)
  await started.promise
  expect((await owner.post(`/admin/${thing}s/${ids[thing]}/suspend`)).status).toBe(204)
  const last = (await read).at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ error: { code: `${thing}_suspended` } })
})

test('the owner of the server cannot be suspended, and what does not exist is not found', async () => {
  const { owner, anna } = await open()
  expect(await codeOf(await owner.post(`/admin/accounts/${await accountOf(owner)}/suspend`))).toEqual([
    409,
    'owner_not_suspendable',
  ])
  for (const things of ['accounts', 'organisations', 'keys'])
    expect((await owner.post(`/admin/${things}/nothing/suspend`)).status).toBe(404)
  expect(await codeOf(await anna.post(`/admin/accounts/${await accountOf(owner)}/suspend`))).toEqual([
    403,
    'owner_only',
  ])
})

test('the owner sees every organisation with its members and keys, and the audit records suspensions', async () => {
  const { owner, anna } = await open()
  const id = await organisationOf(anna)
  await owner.post(`/admin/organisations/${id}/suspend`)
  await owner.post(`/admin/organisations/${id}/suspend`)
  const list = (await (await owner.get('/admin/organisations')).json()) as { data: unknown[] }
  expect(list.data).toMatchObject([
    { name: 'owner', members: 1, suspendedAt: null },
    { id, name: 'anna', members: 1, keys: 1, suspendedAt: expect.any(Number) },
  ])
  expect(await (await owner.get(`/admin/organisations/${id}`)).json()).toMatchObject({
    members: [{ email: 'anna@example.com', role: 'owner' }],
    keys: [{ name: 'First key', suspendedAt: null }],
  })
  await owner.post(`/admin/organisations/${id}/resume`)
  const told = (await (await owner.get(`/admin/audit?target=${id}`)).json()) as { data: { action: string }[] }
  expect(told.data.map(({ action }) => action)).toEqual(['organisation.resumed', 'organisation.suspended'])
})
