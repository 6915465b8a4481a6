import { expect, test } from 'vitest'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  joinAs,
  openBrowser,
  signUp,
  tokenOf,
} from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const dayMs = 24 * 3_600_000

const inviteTo = async (by: BrowserSession, role = 'member', more: Record<string, unknown> = {}) => {
  const response = await by.post('/organisation/invitations', { role, send: 'link', ...more })
  const { id, url } = (await response.json()) as { id: string; url: string }
  return { id, token: tokenOf(url), url }
}
const listOf = async (by: BrowserSession) =>
  ((await (await by.get('/organisation/invitations')).json()) as { data: Record<string, unknown>[] }).data

test('a user views an invitation, accepts it, and switches to that organisation', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const ben = await signUp(helix.url, 'ben@example.com')
  const { token, url } = await inviteTo(owner, 'admin', { email: 'ben@example.com' })
  expect(url).toBe(`${helix.url}/invitation#${token}`)
  const stranger = await openBrowser(helix.url)
  const look = await stranger.post('/invitations/look', { token })
  expect(await look.json()).toEqual({
    organisationName: 'owner',
    role: 'admin',
    invitedBy: 'owner@example.com',
    email: 'ben@example.com',
    expiresAt: expect.any(Number),
  })
  expect((await stranger.post('/invitations/accept', { token })).status).toBe(401)
  expect((await ben.post('/invitations/accept', { token })).status).toBe(200)
  expect(await ben.load()).toMatchObject({
    organisation: { name: 'owner', role: 'admin' },
    organisations: [
      { name: 'ben', role: 'owner' },
      { name: 'owner', role: 'admin' },
    ],
  })
})

test('a new user signs up with an invitation and gets a key there; a viewer gets none', async () => {
  const helix = await startHelix({ config: { signUp: 'invitation' } })
  const owner = await claimServer(helix)
  const anna = await joinAs(helix.url, owner, 'member', 'anna@example.com')
  expect(await anna.load()).toMatchObject({ organisation: { name: 'owner', role: 'member' }, organisations: [{}] })
  expect(anna.firstKey.key).toMatch(/^hx_live_/)
  const vera = await joinAs(helix.url, owner, 'viewer', 'vera@example.com')
  expect(vera.firstKey).toBeNull()
  const uninvited = await openBrowser(helix.url)
  expect((await uninvited.post('/sign-up', { email: 'x@example.com', password: goodPassword })).status).toBe(403)
})

test('with closed sign-up an invitation works only for existing accounts', async () => {
  const helix = await startHelix({ config: { signUp: 'closed' } })
  const owner = await claimServer(helix)
  const { token } = await inviteTo(owner)
  const visitor = await openBrowser(helix.url)
  const refused = await visitor.post('/sign-up', { email: 'x@example.com', password: goodPassword, join: token })
  expect(await readError(refused)).toMatchObject({ code: 'sign_up_closed' })
})

test('expired, used and withdrawn invitations have errors of their own', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const ben = await signUp(helix.url, 'ben@example.com')
  const codes = async (token: string) => {
    const fresh = { email: 'new@example.com', password: goodPassword, join: token }
    const visitor = await openBrowser(helix.url)
    const answers = await Promise.all([
      ben.post('/invitations/look', { token }),
      ben.post('/invitations/accept', { token }),
      visitor.post('/sign-up', fresh),
    ])
    return Promise.all(answers.map(async (answer) => [answer.status, (await readError(answer)).code]))
  }
  const thrice = <Value>(value: Value) => [value, value, value]

  expect(await codes('nonsense')).toEqual(thrice([400, 'invalid_link']))
  const withdrawn = await inviteTo(owner)
  expect((await owner.post(`/organisation/invitations/${withdrawn.id}/withdraw`)).status).toBe(204)
  expect((await owner.post(`/organisation/invitations/${withdrawn.id}/withdraw`)).status).toBe(404)
  expect(await codes(withdrawn.token)).toEqual(thrice([410, 'invitation_withdrawn']))
  const used = await inviteTo(owner)
  await signUp(helix.url, 'anna@example.com', { join: used.token })
  expect(await codes(used.token)).toEqual(thrice([410, 'invitation_used']))
  const expired = await inviteTo(owner)
  clock.advance(7 * dayMs)
  expect(await codes(expired.token)).toEqual(thrice([410, 'invitation_expired']))
})

test('of concurrent uses of an invitation exactly one succeeds', async () => {
  const helix = await startHelix({ config: { signUpsPerHour: 100 } })
  const owner = await claimServer(helix)
  const people = await Promise.all([1, 2, 3, 4].map((n) => signUp(helix.url, `person${n}@example.com`)))
  const { token } = await inviteTo(owner)
  const answers = await Promise.all(people.map((person) => person.post('/invitations/accept', { token })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
})

test('a member who opens an invitation does not use it up', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const { token } = await inviteTo(owner)
  const own = await owner.post('/invitations/accept', { token })
  expect(own.status).toBe(409)
  expect(await readError(own)).toMatchObject({ code: 'already_member' })
  await signUp(helix.url, 'anna@example.com', { join: token })
})

test('the list shows open and recently ended invitations, and never a link', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  await inviteTo(owner, 'viewer', { email: 'vera@example.com' })
  const { id, token } = await inviteTo(owner)
  await owner.post(`/organisation/invitations/${id}/withdraw`)
  const listed = await listOf(owner)
  expect(listed).toEqual([
    expect.objectContaining({ id, role: 'member', email: null, withdrawnAt: clock.now(), acceptedAt: null }),
    expect.objectContaining({ role: 'viewer', email: 'vera@example.com', invitedBy: 'owner@example.com' }),
  ])
  expect(JSON.stringify(listed)).not.toContain(token)
  clock.advance(15 * dayMs)
  expect(await listOf(owner)).toEqual([])
})

test('invitations by a removed or demoted admin are withdrawn', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const ben = await joinAs(helix.url, owner, 'admin', 'ben@example.com')
  const before = await inviteTo(ben, 'admin')
  const account = (await ben.load()).account?.id ?? ''
  await owner.post(`/organisation/members/${account}/remove`, { revokeKeys: false })
  const back = await ben.post('/invitations/accept', { token: before.token })
  expect(await readError(back)).toMatchObject({ code: 'invitation_withdrawn' })
})

test('an invitation is mailed in the language of the recipient, and the link is only in the mail', async () => {
  const mail = await startMailServer()
  const helix = await startHelix({ config: { smtpUrl: mail.url, mailFrom: 'Helix <helix@example.com>' } })
  const owner = await claimServer(helix)
  const yuki = await signUp(helix.url, 'yuki@example.com', { language: 'ja' })
  await mail.mail(2)
  const sent = await owner.post('/organisation/invitations', {
    role: 'member',
    send: 'mail',
    email: 'yuki@example.com',
  })
  expect(await sent.json()).toMatchObject({ url: null })
  const message = await mail.mail(3)
  expect(message).toMatchObject({ to: ['yuki@example.com'], text: expect.stringContaining('組織「owner」への招待') })
  const token = tokenOf(/\S+\/invitation#\S+/.exec(message.text)?.[0] ?? '')
  expect((await yuki.post('/invitations/accept', { token })).status).toBe(200)
  const nobody = await owner.post('/organisation/invitations', { role: 'member', send: 'mail' })
  expect(await readError(nobody)).toMatchObject({ code: 'invalid_email', param: 'email' })
})

test('without a mail server only a link is available', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const refused = await owner.post('/organisation/invitations', {
    role: 'viewer',
    send: 'mail',
    email: 'a@example.com',
  })
  expect(await readError(refused)).toMatchObject({ code: 'mail_not_configured' })
  expect(await listOf(owner)).toEqual([])
})
