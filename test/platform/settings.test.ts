import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { defaultOrigins } from '../../src/config/setting-origin.ts'
import { claimServer, openBrowser, signUp } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { readError } from '../harness/read-error.ts'
import { runCommand } from '../harness/run-command.ts'
import { scratchDirectory } from '../harness/scratch-store.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

type Shown = { name: string; value: string | null; source: string; isSet: boolean; unsavedValue: string | null }
type Owner = Awaited<ReturnType<typeof claimServer>>

const save = (owner: Owner, changes: Record<string, unknown>) => owner.post('/admin/settings', { changes })
const read = async (owner: Owner, name: string): Promise<Shown | undefined> => {
  const { data } = (await (await owner.get('/admin/configuration')).json()) as { data: Shown[] }
  return data.find((setting) => setting.name === name)
}

test('the sign-up policy is changed while the server runs, and outlives a restart', async () => {
  using scratch = scratchDirectory()
  const config = { dataDir: scratch.path }
  const first = await openHelix({ config })
  const owner = await claimServer(first)
  expect((await save(owner, { signUp: 'closed' })).status).toBe(200)
  const visitor = await openBrowser(first.url)
  const refused = await visitor.post('/sign-up', { email: 'anna@example.com', password: 'walnut orchard radio' })
  expect(await readError(refused)).toMatchObject({ code: 'sign_up_closed' })
  expect(await read(owner, 'signUp')).toMatchObject({ value: 'closed', source: 'console', unsavedValue: 'open' })
  expect((await save(owner, { signUp: null })).status).toBe(200)
  expect(await read(owner, 'signUp')).toMatchObject({ value: 'open', source: 'default', unsavedValue: null })
  expect((await save(owner, { signUp: 'invitation', signUpsPerHour: 7 })).status).toBe(200)
  await first.close()
  const second = await startHelix({ config })
  const { data } = (await second.control('GET', '/control/settings')) as { data: Shown[] }
  expect(data).toContainEqual(expect.objectContaining({ name: 'signUp', value: 'invitation', source: 'console' }))
  const { stdout } = await runCommand(['config', '--data-dir', scratch.path])
  expect(stdout).toMatch(/^signUp +invitation +console +no$/m)
})

test('an invalid value is refused with the sentence of the loader, and nothing is changed', async () => {
  const owner = await claimServer(await startHelix())
  const refused = await save(owner, { signUpsPerHour: 9, auditRetentionDays: 0 })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({
    code: 'invalid_setting',
    param: 'auditRetentionDays',
    message: `'auditRetentionDays': expected an integer from 1 to 36500, not 0.`,
  })
  expect(await read(owner, 'signUpsPerHour')).toMatchObject({ value: '5', source: 'default' })
  expect(await readError(await save(owner, { smtpUrl: 'smtp://127.0.0.1:1' }))).toMatchObject({
    param: 'smtpUrl',
    message: 'HELIX_SMTP_URL requires HELIX_MAIL_FROM, the sender address for email.',
  })
  expect(await readError(await save(owner, { port: 1 }))).toMatchObject({ code: 'setting_needs_restart' })
  expect(await readError(await save(owner, { nothing: 1 }))).toMatchObject({ code: 'invalid_setting' })
})

test('a setting of the environment is not changed, and says where it is set', async () => {
  const origins = { ...defaultOrigins, signUp: { source: 'environment', place: 'HELIX_SIGN_UP' } as const }
  const owner = await claimServer(await startHelix({ origins, config: { signUp: 'invitation' } }))
  const refused = await save(owner, { signUp: 'open' })
  expect(refused.status).toBe(409)
  expect(await readError(refused)).toMatchObject({
    code: 'setting_fixed',
    message: expect.stringContaining('HELIX_SIGN_UP'),
  })
  expect(await read(owner, 'signUp')).toMatchObject({ value: 'invitation', isFixed: true, place: 'HELIX_SIGN_UP' })
})

test('limits and prices apply to the next request', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  expect((await helix.chat({})).status).toBe(200)
  await save(owner, { requestsPerMinute: 1, prices: { 'helix-v1': { prompt: 2, completion: 4 } } })
  expect((await helix.chat({})).status).toBe(429)
  const { data } = (await (await helix.get('/v1/models')).json()) as { data: { price: unknown }[] }
  expect(data[0]?.price).toMatchObject({ prompt: 2, cached: 2, completion: 4 })
  await save(owner, { requestsPerMinute: null })
  expect((await helix.chat({})).status).toBe(200)
})

test('the mail server is tried, saved and used, and its password is nowhere to be read', async () => {
  const post = await startMailServer()
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const smtpUrl = post.url.replace('smtp://', 'smtp://helix:hunter2-canary@')
  const noLogin = { smtpUrl: post.url, mailFrom: 'helix@example.com' }
  const tried = await owner.post('/admin/settings/test-mail', noLogin)
  expect(await tried.json()).toEqual({ isSent: true, problem: null, code: null, to: 'owner@example.com' })
  expect((await post.mail()).to).toEqual(['owner@example.com'])
  expect((await save(owner, { smtpUrl, mailFrom: 'helix@example.com' })).status).toBe(200)
  expect(await read(owner, 'smtpUrl')).toMatchObject({ value: null, isSet: true, source: 'console' })
  expect((await owner.load()).mail).toBe(true)
  const audit = await (await owner.get('/admin/audit?action=setting')).text()
  expect(audit).toContain('"from":null,"to":"secret"')
  const bundle = await helix.control('POST', '/control/support', { sample_ms: 0 })
  for (const text of [audit, helix.logLines.join(''), JSON.stringify(bundle)]) expect(text).not.toContain('hunter2')
  await save(owner, noLogin)
  await signUp(helix.url, 'anna@example.com')
  expect((await post.mail(2)).to).toEqual(['anna@example.com'])
})

test('a test mail says nothing about what listens elsewhere, is in the audit log, and can be sent five times a minute', async () => {
  const owner = await claimServer(await startHelix())
  const shell = await startBanner('SSH-2.0-secret-banner\r\n')
  const tryAt = (smtpUrl: string) => owner.post('/admin/settings/test-mail', { smtpUrl, mailFrom: 'helix@example.com' })
  const nothing = { isSent: false, problem: 'no_mail_server', code: null, to: 'owner@example.com' }
  expect(await (await tryAt('smtp://127.0.0.1:1')).json()).toEqual(nothing)
  expect(await (await tryAt(`smtp://anna:hunter2-canary@${shell}`)).json()).toEqual(nothing)
  const { data } = await (await owner.get('/admin/audit?action=setting')).json()
  expect(data).toMatchObject([
    { action: 'setting.mail_tried', details: { host: shell, problem: 'no_mail_server' } },
    { action: 'setting.mail_tried', details: { host: '127.0.0.1:1', problem: 'no_mail_server' } },
  ])
  expect(JSON.stringify(data)).not.toMatch(/hunter2|banner/)
  // On a busy machine one more may be allowed meanwhile.
  const more = await Promise.all(Array.from({ length: 8 }, () => tryAt('smtp://127.0.0.1:1')))
  const statuses = more.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5)
})

/** Something else than a mail server. Its address. */
const startBanner = async (banner: string): Promise<string> => {
  const server = createServer((socket) => socket.on('error', () => {}).end(banner))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the audit log is kept longer from the console, and the change is in it; shorter it is not', async () => {
  const owner = await claimServer(await startHelix({ config: { auditRetentionDays: 90 } }))
  expect(await readError(await save(owner, { auditRetentionDays: 89 }))).toMatchObject({
    code: 'invalid_setting',
    param: 'auditRetentionDays',
    message: expect.stringContaining('expected at least 90'),
  })
  expect(await read(owner, 'auditRetentionDays')).toMatchObject({ value: '90' })
  expect((await save(owner, { auditRetentionDays: 120 })).status).toBe(200)
  const { data } = await (await owner.get('/admin/audit?action=setting')).json()
  expect(data).toMatchObject([{ action: 'setting.changed', details: { from: '90', to: '120' } }])
})

test('of two owners who change a setting at the same time, the second is told and overwrites nothing', async () => {
  const owner = await claimServer(await startHelix())
  const saveOver = (changes: Record<string, unknown>, were: Record<string, string | null>) =>
    owner.post('/admin/settings', { changes, were })
  const first = { small: { prompt: 1, completion: 2 } }
  expect((await saveOver({ prices: first }, { prices: null })).status).toBe(200)
  const refused = await saveOver(
    { prices: { large: { prompt: 3, completion: 4 } }, signUp: 'closed' },
    { prices: null, signUp: 'open' },
  )
  expect(refused.status).toBe(409)
  expect(await readError(refused)).toMatchObject({
    code: 'changed_meanwhile',
    param: 'prices',
    message: expect.stringContaining('"small"'),
  })
  const value = (await read(owner, 'prices'))?.value ?? null
  expect(value).toContain('small')
  expect(await read(owner, 'signUp')).toMatchObject({ value: 'open' })
  expect((await saveOver({ prices: null, signUp: 'closed' }, { prices: value, signUp: 'open' })).status).toBe(200)
})

test('a sender that is no email address is refused', async () => {
  const owner = await claimServer(await startHelix())
  for (const mailFrom of ['Helix', 'a@b <', 'a b@example.com', 'Helix helix@example.com', 'a@b\r\nBcc: c@d'])
    expect(await readError(await save(owner, { mailFrom }))).toMatchObject({
      code: 'invalid_setting',
      param: 'mailFrom',
      message: expect.stringContaining('expected an email address,'),
    })
  for (const mailFrom of ['helix@localhost', 'ヘリックス <helix@example.com>'])
    expect((await save(owner, { mailFrom })).status).toBe(200)
})
