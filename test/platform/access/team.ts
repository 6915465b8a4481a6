import { goodPassword, joinAs, openBrowser, signUp, tokenOf } from '../../harness/browser-session.ts'
import { type Helix, modelName } from '../../harness/start-helix.ts'
import type { Caller } from './callers.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Person = Awaited<ReturnType<typeof signUp>>
export type Team = ReturnType<typeof createTeam>

export const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }

let fresh = 0
export const freshEmail = (): string => {
  fresh += 1
  return `fresh${fresh}@example.com`
}

let ownerOfServer: Promise<Browser> | null = null

/** Signed in once for all cells that leave them as they are; another may have ended their session. */
const keptServerOwner = async (url: string): Promise<Browser> => {
  const known = await ownerOfServer
  if (known !== null && (await known.load()).account?.isOwner === true) return known
  ownerOfServer = signInOwner(url)
  return ownerOfServer
}
/** Each time from another network, since sign-ins of one account from one network are limited. */
let ownerNetwork = 0
const signInOwner = async (url: string): Promise<Browser> => {
  ownerNetwork += 1
  const browser = await openBrowser(url, { 'x-forwarded-for': `192.0.2.${ownerNetwork}` })
  await browser.signIn('owner@example.com')
  return browser
}

/**
 * One organisation with somebody for each role, and those around it. Each comes when they are first asked for. A team that
 * is shared takes the server's owner as the others do.
 */
export const createTeam = (helix: Helix, isShared = false) => {
  const { url } = helix
  const people = new Map<Caller, Promise<Person>>()
  const browsers = new Map<Caller, Promise<Browser>>()

  const make = async (who: Caller): Promise<Person> => {
    if (who === 'owner' || who === 'other organisation') return signUp(url, freshEmail())
    if (who !== 'suspended') return joinAs(url, await person('owner'), who, freshEmail())
    const admin = await joinAs(url, await person('owner'), 'admin', freshEmail())
    await (await keptServerOwner(url)).post(`/admin/accounts/${await accountId(admin)}/suspend`)
    return admin
  }
  const person = (
    who: Exclude<Caller, 'anonymous' | 'server owner' | 'API key' | 'management key'>,
  ): Promise<Person> => {
    const known = people.get(who) ?? make(who)
    people.set(who, known)
    return known
  }
  const postJson = async <Answer>(browser: Browser, path: string, body: unknown): Promise<Answer> =>
    (await (await browser.post(path, body)).json()) as Answer

  /** A browser of this caller. A key's bearer has a page's cookies and token too: only the session is missing. */
  const browserOf = (who: Caller): Promise<Browser> => {
    if (who === 'server owner' && isShared) return keptServerOwner(url)
    const known = browsers.get(who) ?? openBrowserOf(who)
    browsers.set(who, known)
    return known
  }
  const openBrowserOf = async (who: Caller): Promise<Browser> => {
    if (who === 'anonymous') return openBrowser(url)
    if (who === 'server owner') return signInOwner(url)
    if (who === 'API key') return openBrowser(url, bearer((await person('owner')).firstKey.key))
    if (who === 'management key') return openBrowser(url, bearer(await managementKey()))
    return person(who)
  }
  const managementKey = async (): Promise<string> =>
    (await postJson<{ key: string }>(await person('owner'), '/keys', { name: 'manages', scopes: ['manage'] })).key

  return {
    helix,
    person,
    browserOf,
    /** What a caller sends along besides the cookies. */
    headersOf: async (who: Caller) => (who === 'suspended' ? bearer((await person(who)).firstKey.key) : {}),
    accountOf: async (who: 'viewer' | 'member' | 'owner') => accountId(await person(who)),
    emailOf: async (who: 'member' | 'owner') => (await (await person(who)).load()).account?.email ?? '',
    organisation: async () => (await (await person('owner')).load()).organisation,
    /** A key that the member made. */
    memberKey: async () => postJson<{ id: string; name: string }>(await person('member'), '/keys', { name: 'theirs' }),
    invite: async (role = 'viewer') => {
      const body = { role, send: 'link' }
      const made = await postJson<{ id: string; url: string }>(await person('owner'), '/organisation/invitations', body)
      return { id: made.id, token: tokenOf(made.url) }
    },
    /** Somebody else of the team, by account. */
    async newMember() {
      return accountId(await joinAs(url, await person('owner'), 'member', freshEmail()))
    },
    /** Of somebody else. */
    newOrganisation: async () => (await (await signUp(url, freshEmail())).load()).organisation?.id ?? '',
    /** A link of the server's owner for somebody new. */
    async linkFor(kind: string): Promise<string> {
      const { account } = await (await signUp(url, freshEmail())).load()
      const body = { kind, email: account?.email }
      return tokenOf((await postJson<{ url: string }>(await keptServerOwner(url), '/admin/links', body)).url)
    },
    /** By the owner of the server: `accounts`, `organisations` or `keys`. */
    async suspend(things: string, id: string): Promise<string> {
      await (await keptServerOwner(url)).post(`/admin/${things}/${id}/suspend`)
      return id
    },
    /** An endpoint of the team or of the server, which may be sent nothing: the address is not permitted. */
    async webhook(whose: 'team' | 'server'): Promise<string> {
      const [browser, path] =
        whose === 'team' ? [await person('owner'), '/webhooks'] : [await keptServerOwner(url), '/admin/webhooks']
      const { data } = (await (await browser.get(path)).json()) as { data: { id: string }[] }
      const body = { url: 'https://localhost:1/', events: [] }
      return data[0]?.id ?? (await postJson<{ endpoint: { id: string } }>(browser, path, body)).endpoint.id
    },
    /** A delivery to it that was given up. */
    async delivery(whose: 'team' | 'server', endpoint: string): Promise<string> {
      const browser = whose === 'team' ? await person('owner') : await keptServerOwner(url)
      const path = `${whose === 'team' ? '' : '/admin'}/webhooks/${endpoint}`
      const { id } = await postJson<{ id: string }>(browser, `${path}/test`, {})
      for (;;) {
        const { data } = (await (await browser.get(`${path}/deliveries`)).json()) as {
          data: { id: string; state: string }[]
        }
        if (data.find((delivery) => delivery.id === id)?.state === 'failed') return id
      }
    },
    /** A completion with a key of the team; `x-request-id` names the request. */
    ask: async (more: Record<string, unknown> = {}) => {
      const headers = { ...bearer((await person('owner')).firstKey.key), 'content-type': 'application/json' }
      const body = JSON.stringify({ ...chat, ...more })
      const response = await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })
      const { id } = (await response.json()) as { id: string }
      return { id, requestId: response.headers.get('x-request-id') ?? '' }
    },
    /** The id of a stored response. */
    respond: async () => {
      const headers = { ...bearer((await person('owner')).firstKey.key), 'content-type': 'application/json' }
      const body = JSON.stringify({ model: modelName, input: 'Hi' })
      const response = await fetch(`${helix.baseUrl}/responses`, { method: 'POST', headers, body })
      return ((await response.json()) as { id: string }).id
    },
    /** Of the member's sessions one that is not their own browser's. */
    async unusedSession(): Promise<string> {
      const member = await person('member')
      await (await openBrowser(url)).signIn((await member.load()).account?.email ?? '', goodPassword)
      const sessions = (await (await member.get('/account/sessions')).json()) as {
        data: { id: string; current: boolean }[]
      }
      return sessions.data.find(({ current }) => !current)?.id ?? ''
    },
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const accountId = async (browser: Browser): Promise<string> => (await browser.load()).account?.id ?? ''
