import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { accessHeaders, modelsPath } from '../../engine/remote/upstream-request.ts'
import type { Upstream } from '../contract.ts'

const probeTimeoutMs = 5000

/**
 * Whether an upstream answers and accepts our key. Asks for its list of models, which costs nothing; one that has no such
 * list is alive too.
 */
export const probeUpstream = async (upstream: Upstream, signal: AbortSignal): Promise<boolean> => {
  const status = await requestStatus(upstream.baseUrl + modelsPath(upstream), upstream, signal)
  return status === 200 || status === 404 || status === 405
}

/** The engines of these kinds say there whether they can generate. */
const healthKinds: readonly string[] = ['vllm', 'llama-server']

/**
 * Whether an upstream that has no requests answers at all. Any status below 500 counts: some keys may generate, but not list
 * models.
 */
export const probeIdleUpstream = async (upstream: Upstream, signal: AbortSignal): Promise<boolean> => {
  const { baseUrl, kind } = upstream
  const address = healthKinds.includes(kind) ? `${baseUrl.replace(/\/v1$/, '')}/health` : baseUrl + modelsPath(upstream)
  const status = await requestStatus(address, upstream, signal)
  return status !== null && status < 500
}

/** Null if there is no response. The body is not read. */
const requestStatus = (
  address: string,
  { key, kind, tls }: Pick<Upstream, 'key' | 'kind' | 'tls'>,
  signal: AbortSignal,
): Promise<number | null> =>
  new Promise((resolve) => {
    const url = new URL(address)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const probe = send(url, {
      agent: tls?.singleUse ?? false,
      signal,
      timeout: probeTimeoutMs,
      headers: { accept: 'application/json', ...accessHeaders({ key, kind }) },
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(null))
    probe.on('close', () => resolve(null))
    probe.on('response', (response) => {
      resolve(response.statusCode ?? null)
      response.destroy()
    })
    probe.end()
  })
