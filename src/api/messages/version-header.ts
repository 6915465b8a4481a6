import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { OperationHeader } from '../../operations/operation.ts'

/** The header by which clients of Anthropic's API say its version. */
export const versionHeader = (description: string): OperationHeader => ({
  name: 'anthropic-version',
  description,
  json: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
})

/** `anthropic-version` may be omitted. Clients send the version they were built for, and all are answered alike. */
export const checkVersion = ({ request }: Exchange): void => {
  const { 'anthropic-version': version } = request.headers
  if (version === undefined || (typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version))) return
  throw ApiError.of('invalid_api_version', { version: String(version).slice(0, 64) })
}
