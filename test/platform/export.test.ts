import { expect, test } from 'vitest'
import { claimServer, goodPassword, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { addPasskey, switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

type Exported = {
  account: { email: string; name: string | null }
  signInMethods: { hasPassword: boolean; passkeys: { name: string }[]; twoFactor: { recoveryCodesLeft: number } }
  sessions: { address: string }[]
  signInPlaces: { place: string }[]
  notices: unknown
  organisations: {
    role: string
    bodiesKeptDays: number | null
    keys: { id: string; name: string; usage: { requests: number } }[]
    usage: { requests: number; promptTokens: number; completionTokens: number }
    draft: string | null
    prompts: { name: string; content: string | null }[]
  }[]
}

test('users can export all data about them in one file, without secrets or data of others', async () => {
  const helix = await startHelix({ config: { host: 'localhost' } })
  await claimServer(helix)
  const ann = await signUp(helix.url, 'ann@example.com')
  const ben = await signUp(helix.url, 'ben@example.com')
  const { secret, recoveryCodes } = await switchOnTwoFactor(ann)
  await addPasskey(ann, helix.url)
  const headers = { authorization: `Bearer ${ann.firstKey.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  expect((await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
  expect((await ann.post('/playground/draft', { content: '{"draft":1}' })).status).toBeLessThan(300)
  const prompt = { name: 'Haiku', isShared: false, content: '{"saved":1}' }
  expect((await ann.post('/prompts', prompt)).status).toBeLessThan(300)
  const conversation = { title: 'Talk', content: '{"turns":1}', searchText: '' }
  expect((await ann.post('/playground/conversations', conversation)).status).toBe(201)
  expect((await ann.post('/notices/choices', { what: 'kind', kind: 'expiry', isHidden: true })).status).toBe(200)
  const response = await ann.get('/account/export')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="helix-account.json"')
  const text = await response.text()
  const exported = JSON.parse(text) as Exported
  expect(exported.account).toMatchObject({ email: 'ann@example.com', name: null })
  expect(exported.signInMethods).toMatchObject({ hasPassword: true, passkeys: [{ name: 'Laptop' }] })
  expect(exported.sessions).toHaveLength(1)
  expect(exported.signInPlaces).toMatchObject([{ place: expect.stringMatching(/^(127\.0\.0\.0\/24|::\/48)$/) }])
  expect(exported.notices).toEqual({ off: ['expiry'], dismissed: [], hidesChecklist: false })
  expect(exported.organisations).toMatchObject([
    {
      role: 'owner',
      bodiesKeptDays: null,
      keys: [{ id: ann.firstKey.id, usage: { requests: 1 } }],
      usage: { requests: 1 },
      draft: '{"draft":1}',
      prompts: [{ name: 'Haiku', content: '{"saved":1}' }],
      conversations: [{ title: 'Talk', isPinned: false, content: '{"turns":1}' }],
    },
  ])
  expect(exported.organisations[0]?.usage.completionTokens).toBeGreaterThan(0)
  const hidden = [secret, ...recoveryCodes, ann.firstKey.key, ann.cookies.get('helix_session') ?? '', 'argon2']
  for (const value of [...hidden, ben.firstKey.id, 'ben@']) expect(text).not.toContain(value)
})

test('users set their name, or remove it', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const name = async () => ((await owner.load()).account as { name?: string | null } | null)?.name
  expect(await name()).toBeNull()
  expect((await owner.post('/account/profile', { name: '  山田 太郎 ' })).status).toBe(204)
  expect(await name()).toBe('山田 太郎')
  const refused = await owner.post('/account/profile', { name: 'two\nlines' })
  expect(await readError(refused)).toMatchObject({ param: 'name' })
  expect((await owner.post('/account/profile', { name: 'x'.repeat(101) })).status).toBe(400)
  expect((await owner.post('/account/profile', { name: ' ' })).status).toBe(204)
  expect(await name()).toBeNull()
  expect((await owner.signIn('owner@example.com', goodPassword)).status).toBe(200)
})
