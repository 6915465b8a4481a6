import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Upstream } from '../contract.ts'

const probeTimeoutMs = 5000

/**
 * Whether an upstream answers and accepts our key. Asks for its list of models, which costs nothing; one that has no such
 * list is alive too.
 */
export const probeUpstream = ({ baseUrl, key }: Upstream, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const url = new URL(`${baseUrl}/models`)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const probe = send(url, {
      agent: false,
      signal,
      timeout: probeTimeoutMs,
      headers: { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.on('close', () => resolve(false))
    probe.on('response', (response) => {
      const { statusCode: status = 0 } = response
      resolve(status === 200 || status === 404 || status === 405)
      response.destroy()
    })
    probe.end()
  })
