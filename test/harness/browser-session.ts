/** A browser as the platform sees it: keeps cookies, and sends the origin and the page's token. */
export type BrowserSession = Awaited<ReturnType<typeof openBrowser>>

type SessionJson = {
  account: { id: string; email: string; emailVerified: boolean; isOwner: boolean; language: string } | null
  organisation: { id: string; name: string; role: string; suspendedAt: number | null } | null
  organisations: { id: string; name: string; role: string; members: number; suspendedAt: number | null }[]
  suspended: boolean
  signUp: string
  mail: boolean
  csrfToken: string
}

export type FirstKey = { id: string; name: string; key: string }

const password = 'plum harbour lantern'

export const openBrowser = async (url: string, more: Record<string, string> = {}) => {
  const cookies = new Map<string, string>()
  let csrfToken = ''

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { origin: url, 'x-csrf-token': csrfToken, 'content-type': 'application/json' }),
        ...more,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookie)
    csrfToken = response.headers.get('x-csrf-token') ?? csrfToken
    return response
  }
  const keep = (cookie: string): void => {
    const [pair = ''] = cookie.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/Max-Age=0(;|$)/.test(cookie)) cookies.delete(name)
    else cookies.set(name, pair.slice(name.length + 1))
  }
  /** `GET /platform/session`, the first request of every page. */
  const load = async (): Promise<SessionJson> => {
    const session = (await (await send('GET', '/platform/session')).json()) as SessionJson
    csrfToken = session.csrfToken
    return session
  }
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    send('POST', `/platform${path}`, body, headers)
  await load()
  return {
    cookies,
    load,
    post,
    get: (path: string, headers: Record<string, string> = {}) => send('GET', `/platform${path}`, undefined, headers),
    send,
    csrfToken: () => csrfToken,
    signIn: (email: string, word = password) => post('/sign-in', { email, password: word }),
  }
}

export { password as goodPassword }

const json = async <Answer>(response: Response): Promise<Answer> => {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

export const tokenOf = (link: string | null): string => (link ?? '').replace(/^.*#(invitation=)?/, '')

/** Claims a new server and returns the owner's browser. */
export const claimServer = async (
  { server }: { server: { url: string; claimUrl: string | null } },
  headers: Record<string, string> = {},
) => {
  const browser = await openBrowser(server.url, headers)
  const body = { token: tokenOf(server.claimUrl), email: 'owner@example.com', password }
  const { firstKey } = await json<{ firstKey: FirstKey }>(await browser.post('/setup', body))
  await browser.load()
  return { ...browser, firstKey }
}

/** Another person with an account, signed in. */
export const signUp = async (url: string, email: string, more: Record<string, unknown> = {}) => {
  const browser = await openBrowser(url)
  const { firstKey } = await json<{ firstKey: FirstKey }>(await browser.post('/sign-up', { email, password, ...more }))
  await browser.load()
  return { ...browser, firstKey }
}

/** A new person with this role in the inviter's current organisation, joined by a link. */
export const joinAs = async (url: string, inviter: BrowserSession, role: string, email: string) => {
  const invited = await inviter.post('/organisation/invitations', { role, send: 'link' })
  const { url: link } = await json<{ url: string }>(invited)
  return signUp(url, email, { join: tokenOf(link) })
}
