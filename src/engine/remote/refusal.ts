import { ApiError } from '../../base/api-error.ts'

/**
 * Maps an upstream error to an error for the client. Only errors about the request itself are passed on; a wrong
 * upstream key or model name concerns the operator. Bodies may repeat the prompt, so only the status is logged.
 */
export const refusal = async (response: Response): Promise<ApiError> => {
  const { status } = response
  const body = await response.text().catch(() => '')
  if (status === 400 || status === 413 || status === 422) return refusedRequest(body, status)
  if (status === 429 || status === 503) {
    const seconds = Number(response.headers.get('retry-after'))
    return ApiError.of('upstream_busy', {}, { retryAfterMs: seconds > 0 && seconds <= 60 ? seconds * 1000 : 2000 })
  }
  return ApiError.of('upstream_failed', {}, { cause: `the upstream answered with status ${status}` })
}

type UpstreamError = { message?: unknown; code?: unknown; type?: unknown }

const refusedRequest = (body: string, status: number): ApiError => {
  const { message, code, type } = readError(body)
  const reason = typeof message === 'string' ? message.slice(0, 500) : `status ${status}`
  // llama-server uses its own code for a prompt that is too long.
  const tooLong = code === 'context_length_exceeded' || type === 'exceed_context_size_error'
  return tooLong
    ? ApiError.of('upstream_context_exceeded', { reason }, { param: 'messages' })
    : ApiError.of('upstream_refused', { reason })
}

const readError = (body: string): UpstreamError => {
  try {
    const error: unknown = JSON.parse(body)?.error
    return typeof error === 'object' && error !== null ? error : {}
  } catch {
    return {}
  }
}
