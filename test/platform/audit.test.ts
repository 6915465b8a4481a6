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
import { createManualClock } from '../harness/manual-clock.ts'
import { startHelix } from '../harness/start-helix.ts'

type Event = {
  id: string
  at: number
  organisationId: string | null
  action: string
  actor: { kind: string; id: string | null; name: string | null; address: string | null }
  target: { kind: string; id: string | null; name: string | null } | null
  details: Record<string, unknown>
}
type Page = { data: Event[]; hasMore: boolean }

const open = async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { signUpsPerHour: 1000, trustedProxies: ['loopback'] } })
  const owner = await claimServer(helix)
  return { clock, helix, owner }
}
const auditOf = async (browser: BrowserSession, query = ''): Promise<Page> =>
  (await (await browser.get(`/audit${query}`)).json()) as Page
const wholeAudit = async (owner: BrowserSession, query = ''): Promise<Page> =>
  (await (await owner.get(`/admin/audit${query}`)).json()) as Page
const actions = ({ data }: Page): string[] => data.map(({ action }) => action)

test('the audit records changes to a key: actor, target, address and time', async () => {
  const { clock, helix } = await open()
  const anna = await signUp(helix.url, 'anna@example.com')
  clock.advance(1_000)
  const made = await anna.post('/keys', { name: 'laptop' }, { 'x-forwarded-for': '192.0.2.7' })
  const key = (await made.json()) as { id: string; key: string }
  await anna.post(`/keys/${key.id}/revoke`, { name: 'laptop' })
  const { data } = await auditOf(anna)
  const account = await anna.load()
  const actor = { kind: 'account', id: account.account?.id, name: 'anna@example.com' }
  const told = { at: clock.now(), organisationId: account.organisation?.id, id: expect.any(String) }
  const target = { kind: 'key', id: key.id, name: 'laptop' }
  expect(data.slice(0, 2)).toEqual([
    { ...told, action: 'key.revoked', actor: { ...actor, address: '127.0.0.1' }, target, details: {} },
    {
      ...told,
      action: 'key.created',
      actor: { ...actor, address: '192.0.2.7' },
      target,
      details: { scopes: 'chat models completions.read completions.write' },
    },
  ])
  expect(JSON.stringify(data)).not.toContain(key.key)
})

test('the audit of an organisation covers its members, and only its admins can read it', async () => {
  const { helix, owner } = await open()
  const ben = await joinAs(helix.url, owner, 'member', 'ben@example.com')
  const id = (await ben.load()).account?.id
  await owner.post(`/organisation/members/${id}/role`, { role: 'viewer', was: 'member' })
  await owner.post('/organisation/rename', { name: 'Orchard', was: 'owner' })
  expect((await ben.get('/audit')).status).toBe(403)
  expect((await ben.get('/audit.csv')).status).toBe(403)
  await owner.post(`/organisation/members/${id}/remove`, { revokeKeys: true })
  const page = await auditOf(owner)
  expect(actions(page)).toEqual([
    'key.revoked',
    'member.removed',
    'organisation.renamed',
    'member.role_changed',
    'key.created',
    'member.joined',
    'invitation.made',
    'key.created',
    'key.created',
  ])
  expect(page.data.find(({ action }) => action === 'member.role_changed')).toMatchObject({
    target: { kind: 'account', id, name: 'ben@example.com' },
    details: { from: 'member', to: 'viewer' },
  })
  // Each organisation reads its own.
  expect(actions(await auditOf(ben))).toEqual([])
})

test('the owner of the server also sees sign-ups, sign-ins, passwords and links', async () => {
  const { helix, owner } = await open()
  const anna = await signUp(helix.url, 'anna@example.com')
  const phone = await openBrowser(helix.url)
  await phone.signIn('anna@example.com', 'a wrong password')
  await phone.signIn('nobody@example.com')
  await phone.signIn('anna@example.com')
  const sessions = (await (await anna.get('/account/sessions')).json()) as { data: { id: string; current: boolean }[] }
  await anna.post(`/account/sessions/${sessions.data.find(({ current }) => !current)?.id}/revoke`)
  await anna.post('/account/password', { currentPassword: goodPassword, newPassword: 'walnut orchard radio' })
  const made = await owner.post('/admin/links', { kind: 'password_reset', email: 'anna@example.com' })
  const token = tokenOf(((await made.json()) as { url: string }).url)
  await phone.load()
  await phone.post('/password-reset', { token, password: goodPassword })
  await phone.post('/sign-out')
  const page = await wholeAudit(owner, '?target=anna@example.com')
  expect(actions(page)).toEqual([
    'account.signed_in',
    'account.password_reset',
    'link.made',
    'account.password_changed',
    'account.signed_in',
    'account.sign_in_failed',
    'account.signed_in',
    'account.created',
  ])
  expect(page.data[5]).toMatchObject({ actor: { kind: 'visitor', id: null, address: '127.0.0.1' } })
  expect(actions(await wholeAudit(owner, '?actor=anna@example.com&limit=2'))).toEqual([
    'account.signed_out',
    'account.signed_in',
  ])
  expect(actions(await wholeAudit(owner, '?action=session'))).toEqual(['session.ended'])
  expect(actions(await wholeAudit(owner, '?action=server.claimed'))).toEqual(['server.claimed'])
  expect((await anna.get('/admin/audit')).status).toBe(401)
})

test('actions of the command line are recorded as such', async () => {
  const { helix, owner } = await open()
  const key = (await helix.control('POST', '/control/keys', { name: 'from the shell' })) as { id: string }
  await helix.control('POST', `/control/keys/${key.id}/revoke`)
  const { data } = await auditOf(owner, `?target=${key.id}`)
  expect(data.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['key.revoked', 'command_line'],
    ['key.created', 'command_line'],
  ])
})

test('filters by time, and pages without gaps or duplicates while events are added', async () => {
  const { clock, owner } = await open()
  const start = clock.now()
  for (let n = 0; n < 5; n += 1) {
    clock.advance(1_000)
    await owner.post('/keys', { name: `key ${n}` })
  }
  const first = await auditOf(owner, '?limit=2')
  expect(first.hasMore).toBe(true)
  await owner.post('/keys', { name: 'meanwhile' })
  const rest = await auditOf(owner, `?limit=200&before=${first.data.at(-1)?.id}`)
  const names = [...first.data, ...rest.data].map(({ target }) => target?.name)
  expect(names).toEqual(['key 4', 'key 3', 'key 2', 'key 1', 'key 0', 'First key', 'test'])
  const window = await auditOf(owner, `?from=${start + 2_000}&until=${start + 4_000}`)
  expect(window.data.map(({ target }) => target?.name)).toEqual(['key 2', 'key 1'])
  expect((await owner.get('/audit?limit=1000')).status).toBe(400)
  expect((await owner.get('/audit?who=me')).status).toBe(400)
})

test('a CSV contains all matching events, and nothing that a spreadsheet would execute', async () => {
  const { owner } = await open()
  await owner.post('/keys', { name: '=HYPERLINK("http://evil.example")' })
  const response = await owner.get('/audit.csv?action=key.created')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="helix-audit.csv"')
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    'time,action,actor,actor_kind,actor_id,address,target,target_kind,target_id,organisation_id,details',
  )
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain(`,owner@example.com,account,usr_`)
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect((await owner.get('/admin/audit.csv')).status).toBe(200)
})

test('a CSV of many pages is complete', async () => {
  const { helix, owner } = await open()
  for (let n = 0; n < 1_200; n += 1) await helix.control('POST', '/control/keys', { name: `key ${n}` })
  const lines = (await (await owner.get('/audit.csv?action=key')).text()).trimEnd().split('\r\n')
  expect(new Set(lines).size).toBe(1 + 1_200 + 2)
})

test('a deleted account remains in the audit without its name, email and addresses', async () => {
  const { helix, owner } = await open()
  const anna = await signUp(helix.url, 'anna@example.com')
  const ben = await joinAs(helix.url, owner, 'admin', 'ben@example.com')
  await ben.post('/organisation/invitations', { role: 'viewer', send: 'link', email: 'anna@example.com' })
  for (const person of [anna, ben]) await person.post('/account/delete', { password: goodPassword })
  const text = await (await owner.get('/admin/audit?limit=200')).text()
  for (const gone of ['anna', 'ben@']) expect(text).not.toContain(gone)
  const { data } = JSON.parse(text) as Page
  const deleted = data.filter(({ action }) => action === 'account.deleted')
  expect(deleted).toHaveLength(2)
  for (const { actor } of data.filter(({ actor: { id } }) => deleted.some((event) => event.actor.id === id)))
    expect(actor).toMatchObject({ kind: 'account', name: null, address: null })
  expect(data.some(({ actor }) => actor.name === 'owner@example.com' && actor.address === '127.0.0.1')).toBe(true)
})
