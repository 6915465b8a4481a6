import { beforeAll, describe, expect, test } from 'vitest'
import { createRoutes, type Rooms } from '../../src/routes.ts'
import { appDetailPages, appPages, callbackPages, publicPages } from '../../src/site/pages.ts'
import { appCode } from '../harness/authenticator-app.ts'
import { claimServer, goodPassword, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { builtSiteFolder } from '../harness/built-site.ts'
import { openBuiltSite } from '../harness/open-built-site.ts'
import { addPasskey, askNewPasskey, askPasskey, switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { createAuthenticator } from '../harness/software-authenticator.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

/**
 * Who may call what, asked of the real server. The rows come from the router: a route without an entry below fails.
 * `ways` says how to call it so that it would succeed; whoever is not named there has to be refused, each in the way that
 * fits: no session, not the owner, no such thing here.
 */
type Who = 'anonymous' | 'other organisation' | 'member' | 'owner' | 'API key' | 'management key'
const everyone: Who[] = ['anonymous', 'other organisation', 'member', 'owner', 'API key', 'management key']
const signedIn: Who[] = ['other organisation', 'member', 'owner']
const keyHolders: Who[] = ['API key']
const managers: Who[] = ['management key']

type Way = {
  allowed: Who[]
  /** Puts what the call needs into place. Keys, sessions and completions are the member's. */
  call(scene: Scene): Promise<Asked>
  /** What others get: 401 unless told. */
  refusal?: Partial<Record<Who, number>>
}
type Asked = { path?: string; body?: unknown }
type Scene = Awaited<ReturnType<typeof openScene>>

const openScene = async () => {
  const site = await openBuiltSite(await builtSiteFolder())
  const helix = await openHelix({
    openSite: () => site,
    // Passkeys need a name.
    config: {
      host: 'localhost',
      githubClientId: 'x',
      githubClientSecret: 'x',
      signUpsPerHour: 1000,
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'a@b.example',
    },
  })
  await claimServer(helix)
  let people = 0
  const newPerson = () => {
    people += 1
    return signUp(helix.url, `person${people}@example.com`)
  }
  const makeLink = async (kind: string, email: string): Promise<string> => {
    // Another cell may have ended the sessions of the owner.
    const browser = await openBrowser(helix.url)
    await browser.signIn('owner@example.com')
    const response = await browser.post('/admin/links', { kind, email })
    return tokenOf(((await response.json()) as { url: string }).url)
  }
  const keep = async (key: string): Promise<string> => {
    const body = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], store: true }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${helix.baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { id: string }).id
  }
  return { helix, newPerson, makeLink, keep }
}

const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
const nothing = async (): Promise<Asked> => ({})
const visitors = { allowed: everyone }
/** Cookies and strangers alike: only a key counts under /v1. */
const byKey = { allowed: keyHolders, refusal: { 'management key': 403 } }
const byManager = { allowed: managers, refusal: { 'API key': 403 } }
const bySession = { allowed: signedIn }
const byOwner = { allowed: ['owner'] satisfies Who[], refusal: { member: 403, 'other organisation': 403 } }
const byMember = { allowed: ['member'] satisfies Who[], refusal: { owner: 404, 'other organisation': 404 } }
const notSetUp = { owner: 409, 'other organisation': 409 }
const nowhere = Object.fromEntries(everyone.map((who) => [who, 404]))

let fresh = 0
const freshEmail = (): string => {
  fresh += 1
  return `fresh${fresh}@example.com`
}

const ways: Record<string, Way> = {
  'POST /v1/chat/completions': { ...byKey, call: async () => ({ body: chat }) },
  'GET /v1/chat/completions': { ...byKey, call: nothing },
  'GET /v1/chat/completions/{completion}': { ...byKey, call: async (scene) => ({ path: await kept(scene) }) },
  'POST /v1/chat/completions/{completion}': {
    ...byKey,
    call: async (scene) => ({ path: await kept(scene), body: { metadata: null } }),
  },
  'DELETE /v1/chat/completions/{completion}': { ...byKey, call: async (scene) => ({ path: await kept(scene) }) },
  'GET /v1/chat/completions/{completion}/messages': {
    ...byKey,
    call: async (scene) => ({ path: `${await kept(scene)}/messages` }),
  },
  'GET /v1/models': { ...byKey, call: nothing },
  'GET /v1/models/{model}': { ...byKey, call: async () => ({ path: `/v1/models/${modelName}` }) },
  'GET /v1/key': { allowed: [...keyHolders, ...managers], call: nothing },
  'GET /v1/keys': { ...byManager, call: nothing },
  'POST /v1/keys': { ...byManager, call: async () => ({ body: { name: 'by a program' } }) },
  'GET /v1/keys/{key}': { ...byManager, call: async () => ({ path: `/v1/keys/${member.firstKey.id}` }) },
  'POST /v1/keys/{key}': {
    ...byManager,
    call: async () => ({ path: `/v1/keys/${member.firstKey.id}`, body: { name: 'renamed' } }),
  },
  'POST /v1/keys/{key}/rotate': {
    ...byManager,
    call: async () => ({ path: `/v1/keys/${member.firstKey.id}/rotate`, body: { grace_seconds: 60 } }),
  },
  'DELETE /v1/keys/{key}': { ...byManager, call: async () => ({ path: `/v1/keys/${member.firstKey.id}` }) },
  'GET /v1/usage': { ...byManager, call: nothing },
  'GET /v1/openapi.json': { ...visitors, call: nothing },
  'GET /healthz': { ...visitors, call: nothing },
  'GET /readyz': { ...visitors, call: nothing },

  'GET /platform/session': { ...visitors, call: nothing },
  // There is one winner in the life of a server, and this one is claimed: test/platform/claim.test.ts has the rest.
  'POST /platform/setup': {
    allowed: [],
    refusal: Object.fromEntries(everyone.map((who) => [who, 400])),
    call: async () => ({ body: { token: 'used', email: freshEmail(), password: goodPassword } }),
  },
  'POST /platform/sign-up': {
    ...visitors,
    call: async () => ({ body: { email: freshEmail(), password: goodPassword } }),
  },
  'POST /platform/sign-in': {
    ...visitors,
    call: async () => ({ body: { email: 'owner@example.com', password: goodPassword } }),
  },
  'POST /platform/sign-in/code': {
    ...visitors,
    async call() {
      const { recoveryCodes } = await switchOnTwoFactor(member)
      const { account } = await member.load()
      const response = await (await openBrowser(helix.url)).signIn(account?.email ?? '')
      const { secondStep } = (await response.json()) as { secondStep: { token: string } }
      return { body: { token: secondStep.token, code: recoveryCodes[0] } }
    },
  },
  'POST /platform/sign-in/passkey/question': { ...visitors, call: nothing },
  'POST /platform/sign-in/passkey': {
    ...visitors,
    async call() {
      const { authenticator } = await addPasskey(member, helix.url)
      return { body: authenticator.use(await askPasskey(await openBrowser(helix.url))) }
    },
  },
  'POST /platform/sign-in/providers/{provider}/begin': {
    ...visitors,
    call: async () => ({ path: '/platform/sign-in/providers/github/begin', body: {} }),
  },
  // Nobody but the browser that left may come back: test/platform/providers.test.ts has the rest.
  'POST /platform/sign-in/providers/{provider}/finish': {
    allowed: [],
    refusal: Object.fromEntries(everyone.map((who) => [who, 400])),
    call: async () => ({ path: '/platform/sign-in/providers/github/finish', body: { state: 'enter.x', code: 'x' } }),
  },
  'POST /platform/account/identities/{provider}/begin': {
    ...bySession,
    call: async () => ({ path: '/platform/account/identities/github/begin' }),
  },
  'POST /platform/account/identities/{provider}/finish': {
    allowed: [],
    refusal: { owner: 400, member: 400, 'other organisation': 400 },
    call: async () => ({ path: '/platform/account/identities/github/finish', body: { state: 'connect.x', code: 'x' } }),
  },
  'POST /platform/account/identities/{identity}/remove': {
    allowed: [],
    refusal: { owner: 404, member: 404, 'other organisation': 404 },
    call: async () => ({ path: '/platform/account/identities/idn_none/remove' }),
  },
  'GET /platform/organisation/rules': { ...bySession, call: nothing },
  'POST /platform/organisation/rules': {
    ...bySession,
    call: async () => ({ body: { secondFactorRequired: false } }),
  },
  'POST /platform/sign-out': { ...bySession, call: nothing },
  'GET /platform/account/sign-in-methods': { ...bySession, call: nothing },
  'POST /platform/account/confirm': { ...bySession, call: async () => ({ body: { password: goodPassword } }) },
  'POST /platform/account/confirm/passkey/question': { ...bySession, call: nothing },
  // A question is put to one person, and answered by no other.
  'POST /platform/account/confirm/passkey': {
    ...byMember,
    refusal: { owner: 400, 'other organisation': 400 },
    async call() {
      const { authenticator } = await addPasskey(member, helix.url)
      return { body: authenticator.use(await askPasskey(member, '/account/confirm/passkey/question')) }
    },
  },
  'POST /platform/account/passkeys/question': { ...bySession, call: nothing },
  'POST /platform/account/passkeys': {
    ...byMember,
    refusal: { owner: 400, 'other organisation': 400 },
    call: async () => ({
      body: { name: 'Key', ...createAuthenticator(helix.url).make(await askNewPasskey(member)) },
    }),
  },
  'POST /platform/account/passkeys/{passkey}/rename': {
    ...byMember,
    call: async () => ({
      path: `/platform/account/passkeys/${(await addPasskey(member, helix.url)).id}/rename`,
      body: { name: 'Another' },
    }),
  },
  'POST /platform/account/passkeys/{passkey}/remove': {
    ...byMember,
    call: async () => ({ path: `/platform/account/passkeys/${(await addPasskey(member, helix.url)).id}/remove` }),
  },
  'POST /platform/account/two-factor/begin': { ...bySession, call: nothing },
  // The owner began to set it up in the rows before; others have not.
  'POST /platform/account/two-factor/confirm': {
    ...byMember,
    refusal: { owner: 400, 'other organisation': 409 },
    async call() {
      const response = await member.post('/account/two-factor/begin')
      const { secret } = (await response.json()) as { secret: string }
      return { body: { code: appCode(secret, Date.now()) } }
    },
  },
  'POST /platform/account/two-factor/recovery-codes': {
    ...byMember,
    refusal: notSetUp,
    async call() {
      await switchOnTwoFactor(member)
      return {}
    },
  },
  'POST /platform/account/two-factor/off': {
    ...byMember,
    refusal: notSetUp,
    async call() {
      const { recoveryCodes } = await switchOnTwoFactor(member)
      return { body: { password: goodPassword, code: recoveryCodes[0] } }
    },
  },
  'POST /platform/account/password': {
    ...bySession,
    call: async () => ({ body: { currentPassword: goodPassword, newPassword: goodPassword } }),
  },
  'POST /platform/account/profile': { ...bySession, call: async () => ({ body: { name: 'Ann' } }) },
  'GET /platform/account/export': { ...bySession, call: nothing },
  'POST /platform/account/language': { ...bySession, call: async () => ({ body: { language: 'ja' } }) },
  'GET /platform/account/sessions': { ...bySession, call: nothing },
  'POST /platform/account/sessions/{session}/revoke': {
    allowed: ['member'],
    refusal: { owner: 404, 'other organisation': 404 },
    call: async () => ({ path: `/platform/account/sessions/${await unusedSession()}/revoke` }),
  },
  'POST /platform/account/delete': {
    allowed: ['member', 'other organisation'],
    refusal: { owner: 409 },
    call: async () => ({ body: { password: goodPassword } }),
  },
  'POST /platform/password-reset/request': { ...visitors, call: async () => ({ body: { email: 'a@example.com' } }) },
  'POST /platform/password-reset': {
    ...visitors,
    call: async ({ newPerson, makeLink }) => {
      const { account } = await (await newPerson()).load()
      const token = await makeLink('password_reset', account?.email ?? '')
      return { body: { token, password: 'another plum lantern' } }
    },
  },
  'POST /platform/email-verification/request': { ...bySession, call: nothing },
  'POST /platform/email-verification': {
    ...visitors,
    call: async ({ newPerson, makeLink }) => {
      const { account } = await (await newPerson()).load()
      return { body: { token: await makeLink('email_verification', account?.email ?? '') } }
    },
  },
  'POST /platform/admin/links': {
    ...byOwner,
    call: async () => ({ body: { kind: 'invitation', email: freshEmail() } }),
  },
  'GET /platform/admin/accounts': { ...byOwner, call: nothing },
  'POST /platform/admin/accounts/reset-two-factor': {
    ...byOwner,
    async call() {
      await switchOnTwoFactor(member)
      return { body: { email: (await member.load()).account?.email } }
    },
  },
  'GET /platform/admin/organisations': { ...byOwner, call: nothing },
  'GET /platform/admin/organisations/{organisation}': {
    ...byOwner,
    call: async () => ({ path: `/platform/admin/organisations/${(await member.load()).organisation?.id}` }),
  },
  ...Object.fromEntries(
    ['suspend', 'resume'].flatMap((act): [string, Way][] => [
      [
        `POST /platform/admin/accounts/{id}/${act}`,
        { ...byOwner, call: async () => ({ path: `/platform/admin/accounts/${await joined('viewer')}/${act}` }) },
      ],
      [
        `POST /platform/admin/organisations/{id}/${act}`,
        {
          ...byOwner,
          call: async () => {
            const { organisation } = await (await scene.newPerson()).load()
            return { path: `/platform/admin/organisations/${organisation?.id}/${act}` }
          },
        },
      ],
      [
        `POST /platform/admin/keys/{id}/${act}`,
        {
          ...byOwner,
          call: async () => ({ path: `/platform/admin/keys/${(await scene.newPerson()).firstKey.id}/${act}` }),
        },
      ],
    ]),
  ),
  'GET /platform/organisations': { ...bySession, call: nothing },
  'POST /platform/organisations': { ...bySession, call: async () => ({ body: { name: 'Lab' } }) },
  'POST /platform/organisations/{organisation}/switch': {
    ...byMember,
    call: async () => ({ path: `/platform/organisations/${(await member.load()).organisation?.id}/switch` }),
  },
  'POST /platform/organisation/rename': {
    ...byMember,
    refusal: { owner: 409, 'other organisation': 409 },
    call: async () => ({ body: { name: 'New', was: (await member.load()).organisation?.name } }),
  },
  'POST /platform/organisation/leave': {
    allowed: [],
    refusal: { owner: 409, member: 409, 'other organisation': 409 },
    call: nothing,
  },
  'POST /platform/organisation/hand-over': {
    ...byMember,
    call: async () => ({ body: { account: await joined('member') } }),
  },
  'POST /platform/organisation/delete': {
    ...byMember,
    refusal: { owner: 400, 'other organisation': 400 },
    call: async () => ({ body: { name: (await member.load()).organisation?.name } }),
  },
  'GET /platform/organisation/members': { ...bySession, call: nothing },
  'POST /platform/organisation/members/{account}/role': {
    ...byMember,
    call: async () => ({
      path: `/platform/organisation/members/${await joined('member')}/role`,
      body: { role: 'admin', was: 'member' },
    }),
  },
  'POST /platform/organisation/members/{account}/remove': {
    ...byMember,
    call: async () => ({
      path: `/platform/organisation/members/${await joined('member')}/remove`,
      body: { revokeKeys: true },
    }),
  },
  'GET /platform/organisation/invitations': { ...bySession, call: nothing },
  'POST /platform/organisation/invitations': {
    ...bySession,
    call: async () => ({ body: { role: 'viewer', send: 'link' } }),
  },
  'POST /platform/organisation/invitations/{invitation}/withdraw': {
    ...byMember,
    call: async () => ({ path: `/platform/organisation/invitations/${(await invited()).id}/withdraw` }),
  },
  'POST /platform/invitations/look': {
    ...visitors,
    call: async () => ({ body: { token: (await invited()).token } }),
  },
  'POST /platform/invitations/accept': {
    allowed: ['owner', 'other organisation'],
    refusal: { member: 409 },
    call: async () => ({ body: { token: (await invited()).token } }),
  },
  'GET /platform/audit': { ...bySession, call: nothing },
  'GET /platform/audit.csv': { ...bySession, call: nothing },
  'GET /platform/admin/engine': { ...byOwner, call: nothing },
  'GET /platform/admin/configuration': { ...byOwner, call: nothing },
  'GET /platform/admin/audit': { ...byOwner, call: nothing },
  'GET /platform/admin/audit.csv': { ...byOwner, call: nothing },
  'GET /platform/admin/limits': { ...byOwner, call: nothing },
  'POST /platform/admin/organisations/{organisation}/limits': {
    ...byOwner,
    call: async () => ({
      path: `/platform/admin/organisations/${(await member.load()).organisation?.id}/limits`,
      body: { requestsPerMinute: 600 },
    }),
  },
  'GET /platform/usage': { ...bySession, call: nothing },
  'GET /platform/usage.csv': { ...bySession, call: nothing },
  'GET /platform/requests': { ...bySession, call: nothing },
  'GET /platform/requests/events': { ...bySession, call: nothing },
  'GET /platform/requests/{request}': {
    ...byMember,
    call: async (scene) => ({ path: `/platform/requests/${await asked(scene)}` }),
  },
  'GET /platform/keys': { ...bySession, call: nothing },
  'POST /platform/keys': { ...bySession, call: async () => ({ body: { name: 'second', expiresAt: null } }) },
  'POST /platform/keys/{key}': {
    allowed: ['member'],
    refusal: { owner: 404, 'other organisation': 404 },
    call: async () => ({ path: `/platform/keys/${member.firstKey.id}`, body: { name: 'renamed' } }),
  },
  'POST /platform/keys/{key}/rotate': {
    allowed: ['member'],
    refusal: { owner: 404, 'other organisation': 404 },
    call: async () => ({ path: `/platform/keys/${member.firstKey.id}/rotate`, body: { graceMs: 0 } }),
  },
  'POST /platform/keys/{key}/revoke': {
    allowed: ['member'],
    refusal: { owner: 404, 'other organisation': 404 },
    call: async () => ({ path: `/platform/keys/${member.firstKey.id}/revoke`, body: { name: member.firstKey.name } }),
  },
  'GET /platform/limits': { ...bySession, call: nothing },
  'POST /platform/playground/chat/completions': { ...bySession, call: async () => ({ body: chat }) },

  // Pages are for everybody; what is in them comes from the routes above.
  ...Object.fromEntries(
    [...publicPages, ...callbackPages, ...appPages, ...appDetailPages].map((path): [string, Way] => [
      `GET ${path}`,
      { ...visitors, call: nothing },
    ]),
  ),
  'GET /favicon.svg': { ...visitors, call: nothing },
  'GET /robots.txt': { ...visitors, call: nothing },
  'GET /assets/{file}': { ...visitors, call: async ({ helix }) => ({ path: await anAsset(helix) }) },

  // From the network these do not exist, for anybody.
  'POST /control/keys': { allowed: [], refusal: nowhere, call: async () => ({ body: { name: 'x' } }) },
  'POST /control/backup': { allowed: [], refusal: nowhere, call: async () => ({ body: { file: '/nowhere/x.db' } }) },
  'GET /control/keys': { allowed: [], refusal: nowhere, call: nothing },
  'POST /control/links': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ body: { kind: 'password_reset', email: 'owner@example.com' } }),
  },
  'POST /control/accounts/reset-two-factor': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ body: { email: 'owner@example.com' } }),
  },
  'POST /control/keys/{subject}/revoke': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ path: `/control/keys/${member.firstKey.id}/revoke` }),
  },
  'POST /control/keys/{subject}/rotate': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ path: `/control/keys/${member.firstKey.id}/rotate`, body: { graceMs: 0 } }),
  },
  'GET /control/limits/{subject}': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ path: `/control/limits/${member.firstKey.id}` }),
  },
  'POST /control/limits/{subject}': {
    allowed: [],
    refusal: nowhere,
    call: async () => ({ path: `/control/limits/${member.firstKey.id}`, body: { requestsPerMinute: 1 } }),
  },
  'GET /control/usage': { allowed: [], refusal: nowhere, call: nothing },
  'GET /control/usage/verification': { allowed: [], refusal: nowhere, call: nothing },
}

/** A file that the landing page asks for. */
const anAsset = async ({ url }: Helix): Promise<string> => {
  const page = await (await fetch(url)).text()
  return /"(\/assets\/[^"]+)"/.exec(page)?.[1] ?? ''
}

let helix: Helix
let scene: Scene
type Person = Awaited<ReturnType<Scene['newPerson']>>
/** Whose things are asked for, and somebody else. New ones wherever a cell could spoil the next. */
let member: Person
let stranger: Person
beforeAll(async () => {
  scene = await openScene()
  helix = scene.helix
  await newPeople()
  return helix.close
})

const newPeople = async (): Promise<void> => {
  member = await scene.newPerson()
  stranger = await scene.newPerson()
}

const kept = async ({ keep }: Scene): Promise<string> => `/v1/chat/completions/${await keep(member.firstKey.key)}`

/** A request with the member's key, by its id. */
const asked = async ({ helix: { baseUrl } }: Scene): Promise<string> => {
  const headers = { authorization: `Bearer ${member.firstKey.key}`, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(chat) })
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

/** Of the member's sessions one that is not their own browser's. */
const unusedSession = async (): Promise<string> => {
  const { account } = await member.load()
  const second = await openBrowser(helix.url)
  await second.signIn(account?.email ?? '')
  const sessions = (await (await member.get('/account/sessions')).json()) as {
    data: { id: string; current: boolean }[]
  }
  return sessions.data.find(({ current }) => !current)?.id ?? ''
}

/** An invitation to the member's organisation. */
const invited = async (role = 'viewer') => {
  const { id, url } = (await (await member.post('/organisation/invitations', { role, send: 'link' })).json()) as {
    id: string
    url: string
  }
  return { id, token: tokenOf(url) }
}

/** Somebody else in the member's organisation, by account. */
const joined = async (role: string): Promise<string> => {
  const { token } = await invited(role)
  const person = await signUp(helix.url, freshEmail(), { join: token })
  return (await person.load()).account?.id ?? ''
}

/** A browser of this kind of person. The key's bearer has a page's cookies and token too: only the session is missing. */
const browserOf = async (who: Who) => {
  if (who === 'member') return member
  if (who === 'other organisation') return stranger
  if (who === 'anonymous') return openBrowser(helix.url)
  if (who === 'API key') return openBrowser(helix.url, { authorization: `Bearer ${member.firstKey.key}` })
  if (who === 'management key') return openBrowser(helix.url, { authorization: `Bearer ${await managementKey()}` })
  const browser = await openBrowser(helix.url)
  await browser.signIn('owner@example.com')
  return browser
}

const managementKey = async (): Promise<string> => {
  const response = await member.post('/keys', { name: 'manages', scopes: ['manage'] })
  return ((await response.json()) as { key: string }).key
}

// Only the table is looked at: no handler of these runs.
const routes = createRoutes({ store: {}, accounts: {} } as Rooms)

test('every route has a row, and every row a route', () => {
  expect(Object.keys(ways).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(routes.map(({ method, path }) => ({ method, path })))('$method $path', ({ method, path: pattern }) => {
  const way = ways[`${method} ${pattern}`]
  const spoils = method !== 'GET' && /^\/(platform|v1\/keys)\//.test(pattern) && !pattern.endsWith('/completions')
  test.each(everyone)('%s', async (who) => {
    if (way === undefined) throw new Error('there is no row for this route')
    if (spoils) await newPeople()
    const { path = pattern, body } = await way.call(scene)
    const browser = await browserOf(who)
    const response = await browser.send(method, path, body)
    const { status } = response
    // Some never end by themselves.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
    else await response.text()
    if (way.allowed.includes(who)) expect(status).toBeLessThan(300)
    else expect(status).toBe(way.refusal?.[who] ?? 401)
  })
})
