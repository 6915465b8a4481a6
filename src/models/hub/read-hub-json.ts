import { errorCode, errorMessage } from '../../base/caught-error.ts'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { followRedirects } from '../pull/follow-redirects.ts'

/** The hub did not answer as its API does. The message is for the owner of the server. */
export class HubFailed extends OperatorError {}

export type HubAccess = { hubUrl: string; token: string | null; clock: Clock }

const maxBytes = 4 * 2 ** 20
const timeoutMs = 15_700

/** Reads JSON from the hub, or from a mirror of its API. A hub is not trusted: its answer is bounded in size and time. */
export const readHubJson = async ({ hubUrl, token, clock }: HubAccess, path: string): Promise<unknown> => {
  const url = URL.parse(hubUrl + path)
  if (url === null) throw new HubFailed(`${hubUrl} is not the address of a model hub`)
  const stop = new AbortController()
  const cancel = clock.after(timeoutMs, () => stop.abort())
  try {
    const { response } = await followRedirects(url, {
      headers: { accept: 'application/json' },
      token,
      signal: stop.signal,
    })
    try {
      const { statusCode = 0 } = response
      if (statusCode !== 200)
        throw new HubFailed(refusals[statusCode] ?? `The model hub answered with status ${statusCode}`)
      const parts: Buffer[] = []
      let bytes = 0
      const chunks: AsyncIterable<Buffer> = response
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) throw new HubFailed(`The model hub sent more than ${maxBytes / 2 ** 20} MiB`)
        parts.push(chunk)
      }
      return parse(Buffer.concat(parts).toString())
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new HubFailed(
      stop.signal.aborted
        ? 'The model hub did not answer in time'
        : `The model hub at ${url.origin} cannot be reached (${errorCode(error) || errorMessage(error)})`,
    )
  } finally {
    cancel()
  }
}

const refusals: Record<number, string> = {
  401: 'The model hub requires a token: set HELIX_MODEL_HUB_TOKEN',
  403: 'The model hub denies access',
  404: 'The model hub does not have this',
  429: 'The model hub has received too many requests: try again later',
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    throw new HubFailed('The model hub did not answer with JSON')
  }
}
