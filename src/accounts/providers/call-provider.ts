import { ProviderFault } from './provider.ts'

/** A provider that takes longer is down, for whoever waits before the page. */
const timeoutMs = 10_000
/** Documents of providers have a few kilobytes. */
const maxCharacters = 1_000_000

type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: URLSearchParams }

/** Asks a provider for JSON. Whatever goes wrong is told as one fault, without what was sent: that holds secrets. */
export const callProvider = async (url: string, what: string, { method = 'GET', headers, body }: Call = {}) => {
  const init: RequestInit = {
    method,
    headers: { accept: 'application/json', 'user-agent': 'helix', ...headers },
    // Secrets are not to be carried on to wherever an answer points.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  }
  const answer = await send(url, init).catch((error: unknown) => {
    throw new ProviderFault(`${what}: no answer (${reasonOf(error)})`)
  })
  if (!answer.ok) throw new ProviderFault(`${what}: status ${answer.status}`)
  try {
    const value: unknown = JSON.parse(answer.text)
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
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}
