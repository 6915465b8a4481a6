import type { IncomingHttpHeaders } from 'node:http'
import { OperatorError } from '../../base/operator-error.ts'
import type { KeptPart, PartState } from './part-file.ts'
import { shownAddress } from './shown-address.ts'

type PartHead = {
  url: URL
  status: number
  headers: IncomingHttpHeaders /** Announced before a redirect. */
  sha256: string | null
}
/**
 * `write`: the body starts at byte `from`. `complete`: everything is here already. `discard`: what is here is of no use;
 * ask again. `retry`: ask again later.
 */
type DownloadPlan =
  | { kind: 'write'; from: number; state: PartState }
  | { kind: 'complete'; state: PartState }
  | { kind: 'discard' | 'retry'; reason: string }

/** Decides from an answer whether its body continues the part that is kept, replaces it, or is of no use. */
export const planDownload = (answer: PartHead, kept: KeptPart | null): DownloadPlan => {
  const { url, status, headers } = answer
  if (status === 206 && kept !== null) return planPartial(answer, kept)
  if (status === 416 && kept !== null) {
    const total = Number(/^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? Number.NaN)
    if (total === kept.bytes && kept.state.totalBytes === total) return { kind: 'complete', state: kept.state }
    return { kind: 'discard', reason: 'the file has changed' }
  }
  if (status === 200) return { kind: 'write', from: 0, state: readState(answer) }
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { kind: 'retry', reason: `the server answered with status ${status}` }
  throw new OperatorError(
    `${shownAddress(url.href)} cannot be downloaded: ${refusals[status] ?? `the server answered with status ${status}`}`,
  )
}

const refusals: Record<number, string> = {
  401: 'the server requires a token; set HELIX_MODEL_HUB_TOKEN for files of the model hub',
  403: 'access is denied',
  404: 'the file does not exist',
  410: 'the file no longer exists',
}

const planPartial = (answer: PartHead, kept: KeptPart): DownloadPlan => {
  const state = readState(answer)
  const [, from, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? []
  const isRest = Number(from) === kept.bytes && Number(last) === Number(total) - 1
  const isSame = kept.state.validator === state.validator && kept.state.sha256 === state.sha256
  const hasSameSize = kept.state.totalBytes === null || kept.state.totalBytes === Number(total)
  if (!isRest || !isSame || !hasSameSize) return { kind: 'discard', reason: 'the file has changed' }
  return { kind: 'write', from: kept.bytes, state: { ...kept.state, totalBytes: Number(total) } }
}

const readState = ({ url, status, headers, sha256 }: PartHead): PartState => {
  const length = headers['content-length']
  const isWhole =
    status === 200 && length !== undefined && /^\d{1,15}$/.test(length) && headers['content-encoding'] === undefined
  return { url: url.href, validator: readValidator(headers), totalBytes: isWhole ? Number(length) : null, sha256 }
}

/** A weak ETag does not promise equal bytes (RFC 9110, 13.1.5). */
const readValidator = (headers: IncomingHttpHeaders): string | null => {
  const { etag } = headers
  if (etag !== undefined && /^"[^"]{1,300}"$/.test(etag)) return etag
  return headers['last-modified'] ?? null
}
