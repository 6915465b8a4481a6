import { ApiError } from '../../base/api-error.ts'
import type { Redact } from '../../base/create-redactor.ts'
import type { Log } from '../../base/log.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { completeJson } from './complete-json.ts'
import { refusal } from './refusal.ts'
import type { UpstreamCall } from './upstream-call.ts'
import type { UpstreamHead } from './upstream-head.ts'

const maxErrorBytes = 64 * 1024
/** Some servers begin a document with it. */
const byteOrderMark = Buffer.from('\ufeff')

export const failed = (what: string): ApiError =>
  ApiError.of('upstream_failed', {}, { cause: `the upstream failed: ${what}` })

/** Null if the response is an answer. */
export const readRefusal = async (
  head: UpstreamHead,
  call: UpstreamCall,
  { log, redact }: { log: Log; redact: Redact },
): Promise<ApiError | null> => {
  const { status, headers } = head
  if (status !== 200) {
    // The key of the operator is wrong: callers cannot do anything about it.
    if (status === 401) log.error('upstream_key_refused', { status })
    const body = (await readUpTo(call, maxErrorBytes)).toString()
    const refused = refusal({ status, headers, body }, redact)
    // This one may be about the request, which only its body says.
    if (status === 403 && refused.errorName === 'upstream_failed') log.error('upstream_key_refused', { status })
    return refused
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding.trim().toLowerCase() === 'identity'
    ? null
    : failed('its answer is compressed, which was not requested')
}

/** The error of `JSON.parse` quotes the text, which may be part of an answer. */
export const parseDocument = (document: Buffer): unknown => {
  try {
    return parseJsonText(document.toString('utf8', document.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0))
  } catch {
    throw failed('its answer is not JSON')
  }
}

/** The beginning of one that is too long; undefined if nothing can be read of it. */
export const parseBeginning = (bytes: Buffer): unknown => {
  // A character that breaks off is left out.
  const completed = completeJson(new TextDecoder().decode(bytes, { stream: true }))
  try {
    return completed === null ? undefined : parseJsonText(completed)
  } catch {
    return undefined
  }
}

/** With its beginning if it is longer. */
export const readBeginning = async (
  call: UpstreamCall,
  limitBytes: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> => {
  const bytes = await readUpTo(call, limitBytes)
  return { bytes: bytes.subarray(0, limitBytes), isWhole: bytes.length <= limitBytes }
}

/** Stops at the first part that exceeds the limit. */
const readUpTo = async (call: UpstreamCall, limitBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = []
  let length = 0
  while (length <= limitBytes) {
    const bytes = call.take()
    if (bytes === null) break
    if (bytes === undefined) await call.changed()
    else {
      parts.push(bytes)
      length += bytes.length
    }
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}
