import { ApiError } from '../../base/errors.ts'

/**
 * What a refusal of the upstream means to our caller. Only a complaint about the request itself is passed on; a wrong key
 * or model name there is our operator's affair. Bodies may repeat the prompt, so the log gets the status only.
 */
export const refusal = async (response: Response): Promise<ApiError> => {
  const { status } = response
  const body = await response.text().catch(() => '')
  if (status === 400 || status === 413 || status === 422)
    return ApiError.of('upstream_refused', { reason: messageOf(body) ?? `status ${status}` })
  if (status === 429 || status === 503) {
    const seconds = Number(response.headers.get('retry-after'))
    return ApiError.of('upstream_busy', {}, { retryAfterMs: seconds > 0 && seconds <= 60 ? seconds * 1000 : 2000 })
  }
  return ApiError.of('upstream_failed', {}, { cause: `the upstream answered with status ${status}` })
}

const messageOf = (body: string): string | null => {
  try {
    const message: unknown = JSON.parse(body)?.error?.message
    return typeof message === 'string' ? message.slice(0, 500) : null
  } catch {
    return null
  }
}
