import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { Refusal, RefusingLimit, ServerRefusalCount } from '../../request-log-contract.ts'
import { asEndpoint } from '../ledger/ledger-row.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'

export const readRefusal = (row: Row): Refusal => ({
  requestId: text(row, 'request_id'),
  organisationId: text(row, 'organisation_id'),
  keyId: textOrNull(row, 'key_id'),
  model: textOrNull(row, 'model'),
  endpoint: asEndpoint(text(row, 'endpoint')),
  stream: row.is_stream === null ? null : row.is_stream === 1,
  error: text(row, 'error'),
  limit: asLimit(parseJsonText(textOrNull(row, 'refusing_limit') ?? 'null')),
  ...(row.hooks === null ? {} : { hooks: text(row, 'hooks') }),
  createdAt: integer(row, 'created_at'),
  durationMs: integer(row, 'duration_ms'),
  leftOut: integer(row, 'left_out'),
})

/** The name and the scope of a limit, from columns of their own. */
export const readLimit = (row: Row): ServerRefusalCount['limit'] => {
  const [name, scope] = [textOrNull(row, 'limit_name'), textOrNull(row, 'limit_scope')]
  return name === null || scope === null ? null : asNamedLimit({ name, scope })
}

/** True because only `refuseRequests` writes the column. */
const asNamedLimit = (value: unknown): ServerRefusalCount['limit'] => value as ServerRefusalCount['limit']

/** True because only `refuseRequests` writes the column. */
const asLimit = (value: unknown): RefusingLimit | null => value as RefusingLimit | null
