import { offlineError, PlatformError, readPlatformError } from './platform-error.ts'
import type { Session } from './types.ts'

/**
 * Calls the platform's endpoints for this page. The token that proves that a change comes from our own page lives in this
 * memory only.
 */
let csrfToken: string | null = null

/** What the page was drawn for. Another window may have switched since: then the server refuses what this page asks. */
let shownOrganisation: string | null = null

export const showOrganisation = (id: string): void => {
  shownOrganisation = id
}

export const shownOrganisationId = (): string | null => shownOrganisation

export const fetchSession = async (): Promise<Session> => {
  const session = await platformGet<Session>('/session')
  csrfToken = session.csrfToken
  return session
}

export const platformGet = async <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
  readAnswer<Answer>(await readPlatform(path, signal))

/** The bare answer. */
export const readPlatform = (path: string, signal?: AbortSignal): Promise<Response> =>
  send(path, { method: 'GET', ...(signal === undefined ? {} : { signal }) })

export const platformPost = async <Answer = void>(path: string, body: unknown = {}): Promise<Answer> =>
  readAnswer<Answer>(await openPlatform(path, body))

/** Browsers finish such requests even if their page is being closed, up to 64 KiB. */
const keptAliveBytes = 60_000

/** For what must not be lost with the page. */
export const platformPostToTheEnd = async <Answer = void>(path: string, body: unknown): Promise<Answer> => {
  const keepalive = new Blob([JSON.stringify(body)]).size < keptAliveBytes
  return readAnswer<Answer>(await openPlatform(path, body, undefined, keepalive))
}

/** The bare answer, for those that come as a stream. Refusals are thrown. */
export const openPlatform = async (
  path: string,
  body: unknown,
  signal?: AbortSignal,
  keepalive = false,
): Promise<Response> => {
  try {
    return await postOnce(path, body, signal, keepalive)
  } catch (error) {
    // Another tab may have signed in anew since; its token is ours as well.
    if (!(error instanceof PlatformError) || error.code !== 'cross_site') throw error
    await fetchSession()
    return postOnce(path, body, signal, keepalive)
  }
}

const postOnce = async (
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  keepalive: boolean,
): Promise<Response> => {
  if (csrfToken === null) await fetchSession()
  return send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken ?? '' },
    body: JSON.stringify(body),
    keepalive,
    ...(signal === undefined ? {} : { signal }),
  })
}

const send = async (path: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers)
  if (shownOrganisation !== null) headers.set('x-organisation', shownOrganisation)
  const response = await fetch(`/platform${path}`, { ...init, headers, credentials: 'same-origin' }).catch(
    (error: unknown) => {
      throw init.signal?.aborted ? error : offlineError()
    },
  )
  if (response.ok) return response
  throw await readPlatformError(response)
}

/** The server's side of the contract: its tests hold the answers to these types. */
const readAnswer = async <Answer>(response: Response): Promise<Answer> =>
  (response.status === 204 ? undefined : await response.json()) as Answer

/** Tokens change with every sign-in: after one the next call asks for the new. */
export const forgetToken = (): void => {
  csrfToken = null
}
