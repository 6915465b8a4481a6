import { parseJsonText } from '../../base/parse-json-text.ts'
import { ProviderFault } from './provider.ts'

/** A user waits for the response. */
const timeoutMs = 10_000
/** Responses of providers have a few kilobytes. */
const maxCharacters = 1_000_000

type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: URLSearchParams }

/** Requests JSON from a provider. Every failure is a `ProviderFault`, without what was sent, which contains secrets. */
export const callProvider = async (url: string, what: string, { method = 'GET', headers, body }: Call = {}) => {
  const init: RequestInit = {
    method,
    headers: { accept: 'application/json', 'user-agent': 'helix', ...headers },
    // A redirect would send the secrets to another address.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  }
  const response = await send(url, init).catch((error: unknown) => {
    throw new ProviderFault(`${what}: no answer (${connectionError(error)})`)
  })
  if (!response.ok) throw new ProviderFault(`${what}: status ${response.status}`)
  try {
    const value = parseJsonText(response.text)
    return value
  } catch {
    throw new ProviderFault(`${what}: no JSON`)
  }
}

const send = async (url: string, init: RequestInit): Promise<{ ok: boolean; status: number; text: string }> => {
  const response = await fetch(url, init)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxCharacters) throw new Error('too long')
  }
  return { ok: response.ok, status: response.status, text }
}

/** Node hides why a connection failed behind "fetch failed". */
const connectionError = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
