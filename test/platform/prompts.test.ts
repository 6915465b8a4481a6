import { beforeAll, expect, test } from 'vitest'
import type { Draft, Prompt, SavedPrompt } from '../../src/platform/contract/prompts.ts'
import { type BrowserSession, claimServer, goodPassword, joinAs, signUp } from '../harness/browser-session.ts'
import { openStoreReader } from '../harness/open-store-reader.ts'
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

const draftOf = async (browser: BrowserSession): Promise<Draft> =>
  (await (await browser.get('/playground/draft')).json()) as Draft
const save = async (browser: BrowserSession, content: string): Promise<number> =>
  ((await (await browser.post('/playground/draft', { content })).json()) as { version: number }).version
const promptsOf = async (browser: BrowserSession): Promise<Prompt[]> =>
  ((await (await browser.get('/prompts')).json()) as { data: Prompt[] }).data
const create = async (browser: BrowserSession, name: string, isShared: boolean): Promise<SavedPrompt> =>
  (await (await browser.post('/prompts', { name, isShared, content: '{"system":"1"}' })).json()) as SavedPrompt

test('a draft is kept for the account: the last writer wins, and nobody else sees it', async () => {
  expect(await draftOf(anna)).toEqual({ content: null, version: 0, savedAt: null })
  expect(await save(anna, '{"draft":"one"}')).toBe(1)
  expect(await save(anna, '{"draft":"two"}')).toBe(2)
  expect(await draftOf(anna)).toMatchObject({ content: '{"draft":"two"}', version: 2 })
  const ben = await joinAs(helix.url, anna, 'admin', 'ben@example.com')
  expect((await draftOf(ben)).content).toBeNull()
})

test('a draft has a size, in bytes', async () => {
  const fits = JSON.stringify('あ'.repeat(80_000))
  expect((await anna.post('/playground/draft', { content: fits })).status).toBe(200)
  const large = await anna.post('/playground/draft', { content: JSON.stringify('あ'.repeat(90_000)) })
  expect([large.status, (await readError(large)).param]).toEqual([400, 'content'])
  const huge = await anna.post('/playground/draft', { content: 'x'.repeat(600_000) })
  expect(huge.status).toBe(413)
  expect((await draftOf(anna)).content).toBe(fits)
})

test('a saved prompt has versions, is seen by others once it is shared, and is changed by its creator only', async () => {
  const cleo = await joinAs(helix.url, anna, 'member', 'cleo@example.com')
  const { prompt } = await create(anna, 'Greeting', false)
  expect(prompt).toMatchObject({
    name: 'Greeting',
    isShared: false,
    isOwn: true,
    createdBy: 'anna@example.com',
    version: 1,
  })
  expect((await cleo.get(`/prompts/${prompt.id}`)).status).toBe(404)
  await anna.post(`/prompts/${prompt.id}`, { isShared: true, content: '{"system":"2"}' })
  const seen = (await (await cleo.get(`/prompts/${prompt.id}`)).json()) as SavedPrompt
  expect(seen).toMatchObject({ content: '{"system":"2"}', version: 2, prompt: { isOwn: false } })
  expect(seen.versions.map(({ version }) => version)).toEqual([2, 1])
  const first = (await (await cleo.get(`/prompts/${prompt.id}?version=1`)).json()) as SavedPrompt
  expect([first.version, first.content]).toEqual([1, '{"system":"1"}'])
  expect((await cleo.post(`/prompts/${prompt.id}`, { name: 'Mine now' })).status).toBe(404)
  expect((await cleo.post(`/prompts/${prompt.id}/remove`)).status).toBe(404)
  expect((await anna.post(`/prompts/${prompt.id}`, { name: ' ' })).status).toBe(400)
  expect((await promptsOf(cleo)).map(({ name }) => name)).toEqual(['Greeting'])
  expect((await anna.post(`/prompts/${prompt.id}/remove`)).status).toBe(204)
  expect(await promptsOf(cleo)).toEqual([])
  expect((await anna.post(`/prompts/${prompt.id}/restore`)).status).toBe(204)
  expect((await promptsOf(cleo)).map(({ name, version }) => [name, version])).toEqual([['Greeting', 2]])
})

test('of a prompt the last 50 versions are kept', async () => {
  const { prompt } = await create(anna, 'Often saved', false)
  for (let count = 0; count < 51; count += 1) await anna.post(`/prompts/${prompt.id}`, { content: `{"n":${count}}` })
  const { versions } = (await (await anna.get(`/prompts/${prompt.id}`)).json()) as SavedPrompt
  expect([versions.length, versions.at(-1)?.version]).toEqual([50, 3])
  expect((await anna.get(`/prompts/${prompt.id}?version=2`)).status).toBe(404)
})

/** Under whose ids the store has it. */
const keepDraft = async (browser: BrowserSession) => {
  await save(browser, '{"draft":"kept"}')
  const { account, organisation } = await browser.load()
  const reader = { accountId: account?.id ?? '', organisationId: organisation?.id ?? '' }
  await using store = openStoreReader(helix)
  expect(await store.playground.findDraft(reader)).toMatchObject({ content: '{"draft":"kept"}' })
  return reader
}

test('drafts and prompts go with the account, and with the membership the draft', async () => {
  const dora = await signUp(helix.url, 'dora@example.com')
  const emil = await joinAs(helix.url, dora, 'member', 'emil@example.com')
  const readers = [await keepDraft(emil)]
  const { prompt } = await create(emil, 'Shared by Emil', true)
  expect((await promptsOf(dora)).map(({ id }) => id)).toEqual([prompt.id])
  await emil.post('/account/delete', { password: goodPassword })
  expect(await promptsOf(dora)).toEqual([])
  const gone = await joinAs(helix.url, dora, 'member', 'fay@example.com')
  readers.push(await keepDraft(gone))
  await gone.post('/organisation/leave')
  await using store = openStoreReader(helix)
  for (const reader of readers) expect(await store.playground.findDraft(reader)).toBeNull()
})
