import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'

/** A service to connect to: the running server through its socket, or another service by its base URL. */
export type Endpoint = { socketPath: string } | { baseUrl: string; verifiesCertificate?: boolean }

export type ClientRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  key?: string
  signal?: AbortSignal
  /** Throws `NoAnswer` after this long without data. */
  timeoutMs?: number
}

export class NoAnswer extends Error {}

export const send = async (
  endpoint: Endpoint,
  { method, path, body, key, signal, timeoutMs }: ClientRequest,
): Promise<IncomingMessage> => {
  const isHttps = 'baseUrl' in endpoint && new URL(endpoint.baseUrl).protocol === 'https:'
  const requestUrl = isHttps ? await loadHttps() : httpRequest
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(signal === undefined ? {} : { signal }),
      ...('baseUrl' in endpoint ? { rejectUnauthorized: endpoint.verifiesCertificate ?? true } : {}),
    }
    const outgoing =
      'socketPath' in endpoint
        ? httpRequest({ ...options, socketPath: endpoint.socketPath, path })
        : requestUrl(new URL(endpoint.baseUrl + path), options)
    if (timeoutMs !== undefined) outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new NoAnswer()))
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** TLS takes a fifth of the start of a command, and few commands need it. */
const loadHttps = async () => (await import('node:https')).request

export const readText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
