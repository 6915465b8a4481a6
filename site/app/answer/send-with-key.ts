import { offlineError, readPlatformError } from '../../platform/platform-error.ts'
import type { SendRequest } from './stream-answer.ts'

/** Calls the API as a program with this key would: what the key may not do is refused here too. */
export const sendWithKey =
  (key: string): SendRequest =>
  async (request, signal) => {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify(request),
      signal,
    }).catch((error: unknown) => {
      throw signal.aborted ? error : offlineError()
    })
    if (response.ok) return response
    throw await readPlatformError(response)
  }
