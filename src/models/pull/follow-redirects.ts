import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { OperatorError } from '../../base/operator-error.ts'
import { shownAddress } from './shown-address.ts'

type RequestOptions = {
  headers: Readonly<Record<string, string>>
  /** Sent to the host of the first address only. */
  token: string | null
  signal: AbortSignal
}
/** `sha256`: what the server, or a model hub before it redirects to its storage, announces; null otherwise. */
type FileResponse = { response: IncomingMessage; sha256: string | null }

const redirectLimit = 10

/** Sends a GET. Other hosts do not receive the token, and a secure address does not lead to an insecure one. */
export const followRedirects = async (
  first: URL,
  { headers, token, signal }: RequestOptions,
): Promise<FileResponse> => {
  let url = first
  let sha256: string | null = null
  for (let redirects = 0; redirects <= redirectLimit; redirects += 1) {
    const authorization = token === null || url.origin !== first.origin ? {} : { authorization: `Bearer ${token}` }
    // Bytes are counted and continued as they are stored.
    const response = await get(url, { ...headers, ...authorization, 'accept-encoding': 'identity' }, signal)
    sha256 ??= readDigest(response.headers['x-linked-etag']) ?? readDigest(response.headers.etag)
    const { statusCode = 0 } = response
    const { location } = response.headers
    if (statusCode < 300 || statusCode >= 400 || location === undefined) return { response, sha256 }
    response.destroy()
    url = nextUrl(url, location)
  }
  throw new OperatorError(`${shownAddress(first.href)} redirects more than ${redirectLimit} times`)
}

/** Not by `fetch`: Node's crashes the process if the server closes the connection while the reader is slow. */
const get = (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    // Each request has a connection of its own, which ends with it.
    send(url, { headers: { 'user-agent': 'helix', ...headers }, agent: false, signal })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })

const nextUrl = (from: URL, location: string): URL => {
  const url = URL.parse(location, from.href)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OperatorError(
      `${shownAddress(from.href)} redirects to '${shownAddress(location).slice(0, 200)}', which is not a web address`,
    )
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw new OperatorError(`${shownAddress(from.href)} redirects to an address without encryption (${url.origin})`)
  return url
}

/** An ETag that is a SHA-256, as model hubs send it. */
const readDigest = (etag: string | string[] | undefined): string | null =>
  typeof etag === 'string' ? (/^"([0-9a-f]{64})"$/i.exec(etag)?.[1]?.toLowerCase() ?? null) : null
