import { expect, test } from 'vitest'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  joinAs,
  openBrowser,
  signUp,
} from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

type MemberRow = { id: string; email: string; role: string }

const open = async () => {
  const helix = await startHelix({ config: { signUpsPerHour: 1000 } })
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  return { helix, anna }
}
const membersOf = async (browser: BrowserSession): Promise<MemberRow[]> =>
  ((await (await browser.get('/organisation/members')).json()) as { data: MemberRow[] }).data
const rolesOf = async (browser: BrowserSession): Promise<Record<string, string>> =>
  Object.fromEntries((await membersOf(browser)).map(({ email, role }) => [email.split('@')[0], role]))
const idOf = async (browser: BrowserSession): Promise<string> => (await browser.load()).account?.id ?? ''
const changeRole = async (by: BrowserSession, who: BrowserSession, role: string, was: string) =>
  by.post(`/organisation/members/${await idOf(who)}/role`, { role, was })
const callModels = ({ baseUrl }: Helix, key: string) =>
  fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } })

test('a new user owns their own organisation', async () => {
  const { anna } = await open()
  expect(await anna.load()).toMatchObject({
    organisation: { name: 'anna', role: 'owner', suspendedAt: null },
    organisations: [{ name: 'anna', role: 'owner', members: 1 }],
  })
  expect(await rolesOf(anna)).toEqual({ anna: 'owner' })
})

test('a user creates a second organisation and switches between them, and each has its own keys', async () => {
  const { anna } = await open()
  const first = (await anna.load()).organisation?.id ?? ''
  const made = await anna.post('/organisations', { name: ' Lab ' })
  expect(made.status).toBe(201)
  const lab = (await made.json()) as { id: string; name: string }
  expect(lab.name).toBe('Lab')
  expect((await anna.load()).organisation).toMatchObject({ id: lab.id, role: 'owner' })
  expect(await (await anna.get('/keys')).json()).toMatchObject({ data: [] })
  expect((await anna.post(`/organisations/${first}/switch`)).status).toBe(204)
  expect(await (await anna.get('/keys')).json()).toMatchObject({ data: [{ name: 'First key' }] })
  const list = (await (await anna.get('/organisations')).json()) as { data: { name: string }[] }
  expect(list.data.map(({ name }) => name)).toEqual(['anna', 'Lab'])
})

test('a page that was rendered for another organisation changes nothing', async () => {
  const { anna } = await open()
  const first = (await anna.load()).organisation?.id ?? ''
  await anna.post('/organisations', { name: 'Lab' })
  const stale = await anna.post('/keys', { name: 'mine' }, { 'x-organisation': first })
  expect(stale.status).toBe(409)
  expect(await readError(stale)).toMatchObject({ code: 'organisation_switched' })
  expect(await (await anna.get('/keys')).json()).toMatchObject({ data: [] })
})

test('the number of organisations of an account is limited', async () => {
  const helix = await startHelix({ config: { organisationsPerAccount: 2 } })
  const owner = await claimServer(helix)
  expect((await owner.post('/organisations', { name: 'Second' })).status).toBe(201)
  const third = await owner.post('/organisations', { name: 'Third' })
  expect(third.status).toBe(409)
  expect(await readError(third)).toMatchObject({ code: 'too_many_organisations' })
})

test('naming an organisation does not give access to it', async () => {
  const { helix, anna } = await open()
  const ben = await signUp(helix.url, 'ben@example.com')
  const annas = (await anna.load()).organisation?.id ?? ''
  expect((await ben.post(`/organisations/${annas}/switch`)).status).toBe(404)
  expect((await ben.load()).organisation?.name).toBe('ben')
})

test('each role can do exactly what the table says', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const vera = await joinAs(helix.url, anna, 'viewer', 'vera@example.com')
  expect(await rolesOf(vera)).toEqual({ anna: 'owner', ben: 'member', vera: 'viewer' })
  expect((await vera.get('/keys')).status).toBe(200)
  const refused = await vera.post('/keys', { name: 'mine' })
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'role_too_low', message: expect.stringContaining('member') })
  expect((await ben.post('/keys', { name: 'mine' })).status).toBe(201)
  expect((await ben.post('/organisation/rename', { name: 'X', was: 'anna' })).status).toBe(403)
  expect((await ben.get('/organisation/invitations')).status).toBe(403)
  expect((await ben.post('/organisation/delete', { name: 'anna' })).status).toBe(403)
})

test('an admin manages members, but cannot change or create an owner', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'admin', 'ben@example.com')
  const vera = await joinAs(helix.url, anna, 'viewer', 'vera@example.com')
  expect((await changeRole(ben, vera, 'admin', 'viewer')).status).toBe(204)
  expect((await changeRole(ben, vera, 'owner', 'admin')).status).toBe(403)
  expect((await changeRole(ben, anna, 'member', 'owner')).status).toBe(403)
  expect((await changeRole(ben, ben, 'owner', 'admin')).status).toBe(403)
  expect((await ben.post(`/organisation/members/${await idOf(anna)}/remove`, { revokeKeys: false })).status).toBe(403)
  expect((await ben.post('/organisation/invitations', { role: 'owner', send: 'link' })).status).toBe(403)
  expect(await rolesOf(anna)).toEqual({ anna: 'owner', ben: 'admin', vera: 'admin' })
})

test('every member may lower their own role, and not raise it again', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'admin', 'ben@example.com')
  expect((await changeRole(ben, ben, 'member', 'admin')).status).toBe(204)
  expect((await changeRole(ben, ben, 'admin', 'member')).status).toBe(403)
  expect((await ben.load()).organisation?.role).toBe('member')
})

test('of two concurrent changes to a role, the second gets an error with the current role', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'admin', 'ben@example.com')
  const vera = await joinAs(helix.url, anna, 'viewer', 'vera@example.com')
  const answers = await Promise.all([
    changeRole(anna, vera, 'member', 'viewer'),
    changeRole(ben, vera, 'admin', 'viewer'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  const second = answers.find(({ status }) => status === 409)
  const { vera: now } = await rolesOf(anna)
  expect(second && (await readError(second))).toMatchObject({
    code: 'changed_meanwhile',
    message: expect.stringContaining(`'${now}'`),
  })
})

test('of two concurrent renames the second gets an error with the current name', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'admin', 'ben@example.com')
  expect((await ben.post('/organisation/rename', { name: 'Orchard', was: 'anna' })).status).toBe(204)
  const late = await anna.post('/organisation/rename', { name: 'Garden', was: 'anna' })
  expect(late.status).toBe(409)
  expect(await readError(late)).toMatchObject({ message: expect.stringContaining("'Orchard'") })
  const bare = await anna.post('/organisation/rename', { name: ' ', was: 'Orchard' })
  expect(await readError(bare)).toMatchObject({ param: 'name' })
})

test('the last owner cannot leave, lower their role or delete the account before transferring ownership', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const leave = await anna.post('/organisation/leave')
  expect(leave.status).toBe(409)
  expect(await readError(leave)).toMatchObject({ code: 'last_organisation_owner' })
  expect((await changeRole(anna, anna, 'admin', 'owner')).status).toBe(409)
  const gone = await anna.post('/account/delete', { password: goodPassword })
  expect(await readError(gone)).toMatchObject({ code: 'last_organisation_owner' })

  expect((await ben.post('/organisation/hand-over', { accountId: await idOf(anna) })).status).toBe(403)
  expect((await anna.post('/organisation/hand-over', { accountId: 'usr_nobody' })).status).toBe(404)
  expect((await anna.post('/organisation/hand-over', { accountId: await idOf(ben) })).status).toBe(204)
  expect(await rolesOf(ben)).toEqual({ anna: 'admin', ben: 'owner' })
  expect((await anna.post('/organisation/leave')).status).toBe(204)
  expect(await rolesOf(ben)).toEqual({ ben: 'owner' })
})

test('a member who leaves their last organisation gets a new one of their own', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const phone = await openBrowser(helix.url)
  await phone.signIn('ben@example.com')
  expect((await ben.post('/organisation/leave')).status).toBe(204)
  for (const browser of [ben, phone])
    expect(await browser.load()).toMatchObject({ organisation: { name: 'ben', role: 'owner' } })
  expect(await (await ben.get('/keys')).json()).toMatchObject({ data: [] })
  expect((await callModels(helix, ben.firstKey.key)).status).toBe(200)
})

test('a removed member loses access at once, and their keys are revoked if requested', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const carl = await joinAs(helix.url, anna, 'member', 'carl@example.com')
  const remove = async (who: BrowserSession, revokeKeys: boolean) =>
    anna.post(`/organisation/members/${await idOf(who)}/remove`, { revokeKeys })
  expect((await remove(ben, true)).status).toBe(204)
  expect((await remove(carl, false)).status).toBe(204)
  expect((await ben.load()).organisation?.name).toBe('ben')
  expect((await callModels(helix, ben.firstKey.key)).status).toBe(401)
  expect((await callModels(helix, carl.firstKey.key)).status).toBe(200)
  expect((await callModels(helix, anna.firstKey.key)).status).toBe(200)
  expect((await remove(ben, true)).status).toBe(404)
})

test('deleting an organisation revokes its keys, and its members switch to others', async () => {
  const { helix, anna } = await open()
  const ben = await joinAs(helix.url, anna, 'member', 'ben@example.com')
  const wrong = await anna.post('/organisation/delete', { name: 'Anna' })
  expect(await readError(wrong)).toMatchObject({ code: 'confirmation_mismatch', param: 'name' })
  expect((await anna.post('/organisation/delete', { name: 'anna' })).status).toBe(204)
  expect((await callModels(helix, anna.firstKey.key)).status).toBe(401)
  expect((await callModels(helix, ben.firstKey.key)).status).toBe(401)
  expect(await anna.load()).toMatchObject({ organisation: { name: 'anna', role: 'owner' } })
  expect(await ben.load()).toMatchObject({ organisation: { name: 'ben', role: 'owner' } })
})

test('keys of the command line belong to the organisation of the owner, even if the first one was deleted', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  await signUp(helix.url, 'anna@example.com')
  await owner.post('/organisation/delete', { name: 'owner' })
  const { organisation } = await owner.load()
  expect(await helix.control('POST', '/control/keys', { name: 'new' })).toMatchObject({
    organisation_id: organisation?.id,
  })
})
