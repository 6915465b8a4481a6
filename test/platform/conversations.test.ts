import { beforeAll, expect, test } from 'vitest'
import type {
  Conversation,
  ConversationList,
  OpenedConversation,
  Share,
  SharedConversation,
} from '../../src/platform/contract/conversations.ts'
import { type BrowserSession, claimServer, goodPassword, joinAs, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let anna: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  helix = await openHelix({ config: { signUpsPerHour: 1000 } })
  await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

const path = '/playground/conversations'
const create = async (browser: BrowserSession, title: string, searchText = ''): Promise<Conversation> =>
  (await (
    await browser.post(path, { title, content: JSON.stringify({ turns: [title] }), searchText })
  ).json()) as Conversation
const list = async (browser: BrowserSession, search = ''): Promise<ConversationList> =>
  (await (await browser.get(`${path}?search=${encodeURIComponent(search)}`)).json()) as ConversationList
const titles = async (browser: BrowserSession, search = ''): Promise<string[]> =>
  (await list(browser, search)).data.map(({ title }) => title)
const share = async (browser: BrowserSession, id: string, content: string): Promise<Share> =>
  (await (await browser.post(`${path}/${id}/shares`, { content })).json()) as Share

test('a conversation is found in any case and width, renamed and pinned', async () => {
  const { id } = await create(anna, 'Rivers', 'Which River is the LONGEST?\nナイル川')
  await create(anna, 'Mountains', 'Ｆｕｊｉ')
  expect([await titles(anna, 'longest'), await titles(anna, 'FUJI'), await titles(anna, 'ﾅｲﾙ')]).toEqual([
    ['Rivers'],
    ['Mountains'],
    ['Rivers'],
  ])
  expect(await titles(anna)).toEqual(['Mountains', 'Rivers'])
  expect((await anna.post(`${path}/${id}`, { title: 'Long rivers', isPinned: true })).status).toBe(200)
  expect(await titles(anna)).toEqual(['Long rivers', 'Mountains'])
  expect(await list(anna)).toMatchObject({ keptDays: 90, keepsPinned: true, limit: 300 })
  const nameless = await anna.post(`${path}/${id}`, { title: ' ' })
  expect([nameless.status, await nameless.json()]).toMatchObject([400, { error: { param: 'title' } }])
})

test('a page that was closed before it learned that it was saved makes no second conversation of it', async () => {
  const { id } = await create(anna, 'Closed', 'at once')
  expect((await create(anna, 'Closed', 'at once')).id).toBe(id)
  expect(await titles(anna, 'at once')).toEqual(['Closed'])
  expect((await create(anna, 'Closed', 'and then changed')).id).not.toBe(id)
})

test('a tab that has not seen the last save overwrites nothing', async () => {
  const { id, version } = await create(anna, 'Two tabs')
  const save = (text: string) => anna.post(`${path}/${id}`, { saved: { content: text, searchText: '', version } })
  expect((await save('{"tab":1}')).status).toBe(200)
  const second = await save('{"tab":2}')
  expect([second.status, (await readError(second)).code]).toEqual([409, 'conversation_changed'])
  const kept = (await (await anna.get(`${path}/${id}`)).json()) as OpenedConversation
  expect([kept.content, kept.conversation.version]).toEqual(['{"tab":1}', 2])
})

test('a link opens a copy for members of the organisation, until it is revoked or the conversation is deleted', async () => {
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const cleo = await signUp(helix.url, 'cleo@example.com')
  const { id } = await create(anna, 'To share')
  const [first, second] = [await share(anna, id, '{"branch":1}'), await share(anna, id, '{"branch":2}')]
  const opened = (await (await ben.get(`/playground/shares/${first.id}`)).json()) as SharedConversation
  expect(opened).toMatchObject({ title: 'To share', createdBy: 'anna@example.com', isOwn: false })
  expect(opened.content).toBe('{"branch":1}')
  expect(first.id).toMatch(/^shr_\w{24}$/)
  expect((await cleo.get(`/playground/shares/${first.id}`)).status).toBe(404)
  expect((await fetch(`${helix.url}/platform/playground/shares/${first.id}`)).status).toBe(401)
  expect((await ben.get(`${path}/${id}`)).status).toBe(404)
  expect((await ben.post(`/playground/shares/${first.id}/remove`)).status).toBe(404)
  expect((await anna.post(`/playground/shares/${first.id}/remove`)).status).toBe(204)
  expect((await ben.get(`/playground/shares/${first.id}`)).status).toBe(404)
  expect((await ben.get(`/playground/shares/${second.id}`)).status).toBe(200)
  expect((await anna.post(`${path}/${id}/remove`)).status).toBe(204)
  expect((await ben.get(`/playground/shares/${second.id}`)).status).toBe(404)
})

test('conversations and what was shared of them go with the membership and the account', async () => {
  const dora = await signUp(helix.url, 'dora@example.com')
  const emil = await joinAs(helix.url, dora, 'member', 'emil@example.com')
  const fay = await joinAs(helix.url, dora, 'member', 'fay@example.com')
  const shares: Share[] = []
  for (const browser of [emil, fay]) shares.push(await share(browser, (await create(browser, 'Mine')).id, '{}'))
  const statuses = () => Promise.all(shares.map(async ({ id }) => (await dora.get(`/playground/shares/${id}`)).status))
  expect(await statuses()).toEqual([200, 200])
  await emil.post('/account/delete', { password: goodPassword })
  await fay.post('/organisation/leave')
  expect(await statuses()).toEqual([404, 404])
})
