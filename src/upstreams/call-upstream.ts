import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { parseJsonText } from '../base/parse-json-text.ts'
import { accessHeaders } from '../engine/remote/upstream-request.ts'
import type { Upstream } from './contract.ts'
import { describeFault, faultOfStatus, type UpstreamProblem } from './upstream-fault.ts'

/** What it takes to reach an upstream. */
export type CalledUpstream = Pick<Upstream, 'baseUrl' | 'key' | 'kind' | 'apiVersion' | 'tls'>
type Call = { method: 'GET' | 'POST'; path: string; body?: unknown; timeoutMs: number; signal?: AbortSignal }
/** `refusal`: the body of an error, which is not for people; empty if there was none. */
export type UpstreamReply =
  | { json: unknown; problem: null; refusal: '' }
  | { json: null; problem: UpstreamProblem; refusal: string }

/** The lists of OpenRouter and Together have several kilobytes for each of hundreds of models. */
const longestReplyBytes = 8 * 1024 * 1024

/**
 * One small request of the server's own to an upstream, such as for its list of models. Redirects are not followed, the
 * reply is bounded, and what goes wrong is named.
 */
export const callUpstream = async (
  { baseUrl, key, kind, tls }: CalledUpstream,
  { method, path, body, timeoutMs, signal: ended }: Call,
): Promise<UpstreamReply> => {
  const url = new URL(baseUrl + path)
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    ...accessHeaders({ key, kind }),
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const timedOut = AbortSignal.timeout(timeoutMs)
  const signal = ended === undefined ? timedOut : AbortSignal.any([ended, timedOut])
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = send(url, { method, headers, agent: tls?.singleUse ?? false, signal })
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
      outgoing.end(sent)
    })
    const text = await readBounded(response)
    const problem = faultOfStatus(response.statusCode ?? 0, url.href)
    if (problem !== null) return { json: null, problem, refusal: text }
    return parse(text, url.href)
  } catch (error) {
    const problem = timedOut.aborted ? timeoutProblem(timeoutMs) : describeFault(error, url)
    return { json: null, problem, refusal: '' }
  }
}

class TooLong extends Error {}

const readBounded = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    if (bytes > longestReplyBytes) throw new TooLong(`the reply is longer than ${longestReplyBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const parse = (text: string, address: string): UpstreamReply => {
  try {
    return { json: parseJsonText(text), problem: null, refusal: '' }
  } catch {
    const reason = `${address} did not answer with JSON. Is the address that of an OpenAI-style API, ending in /v1?`
    return { json: null, problem: { fault: 'not_an_api', reason }, refusal: '' }
  }
}

const timeoutProblem = (timeoutMs: number): UpstreamProblem => ({
  fault: 'timeout',
  reason: `There was no complete answer within ${timeoutMs / 1000} seconds.`,
})
