import { errorCode } from '../base/caught-error.ts'

/** What is wrong with an upstream, as pages name it. */
type UpstreamFault =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'key_refused'
  | 'redirect'
  | 'not_an_api'
  | 'no_model'
  | 'status'
  | 'bad_answer'
  | 'busy'
  | 'wrong_answer'
  | 'bad_tokenizer'

/** `reason`: one sentence for the operator, without any key. */
export type UpstreamProblem = { fault: UpstreamFault; reason: string }

/** Why no response arrived. */
export const describeFault = (error: unknown, { host, hostname }: URL): UpstreamProblem => {
  const code = errorCode(error)
  const [message = ''] = error instanceof Error ? error.message.split('\n') : []
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { fault: 'dns', reason: `The name ${hostname} cannot be resolved (${code}).` }
  if (code === 'ECONNREFUSED')
    return { fault: 'refused', reason: `${host} refuses connections. Is the server running?` }
  if (code === 'EPROTO' && message.includes('wrong version number'))
    return { fault: 'tls', reason: `${host} does not answer with TLS. Should its URL begin with http://?` }
  if (isTlsCode(code)) return { fault: 'tls', reason: `The TLS connection to ${host} failed: ${message}.` }
  return { fault: 'unreachable', reason: `${host} cannot be reached: ${message}.` }
}

const isTlsCode = (code: string): boolean =>
  /^(?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/.test(code)

/** What is wrong with a response by its status; null if nothing is. */
export const faultOfStatus = (status: number, address: string): UpstreamProblem | null => {
  if (status >= 200 && status < 300) return null
  if (status === 401 || status === 403)
    return { fault: 'key_refused', reason: `The upstream refuses the key (status ${status}).` }
  if (status >= 300 && status < 400)
    return { fault: 'redirect', reason: `${address} redirects (status ${status}), which is not followed.` }
  if (status === 404 || status === 405) {
    const reason = `${address} does not exist (status ${status}). The address usually ends in /v1.`
    return { fault: 'not_an_api', reason }
  }
  if (status === 429) return { fault: 'busy', reason: `${address} accepts no more requests for now (status 429).` }
  return { fault: 'status', reason: `${address} answered with status ${status}.` }
}
