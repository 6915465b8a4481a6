import type { DatabaseSync } from 'node:sqlite'
import type { UsageHour } from '../../../ledger-contract.ts'
import { integer } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'

const hourMs = 3_600_000
/** There is no index by key and time: so many of the newest are read at most. */
const mostRead = 50_000

export const listUsageHours = (
  db: DatabaseSync,
  { organisationId, keyId, since }: { organisationId: string; keyId: string; since: number },
): UsageHour[] =>
  prepared(
    db,
    `SELECT created_at / ${hourMs} * ${hourMs} AS starts_at, count(*) AS requests,
      sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens
    FROM (
      SELECT sequence, created_at FROM ledger_reservations
      WHERE party = (SELECT id FROM ledger_parties WHERE organisation_id = $organisation AND key_id = $key)
      ORDER BY sequence DESC LIMIT ${mostRead}
    ) JOIN ledger_settlements ON reservation = sequence
    WHERE created_at >= $since GROUP BY starts_at ORDER BY starts_at`,
  )
    .all({ organisation: organisationId, key: keyId, since })
    .map((row) => ({
      startsAt: integer(row, 'starts_at'),
      requests: integer(row, 'requests'),
      promptTokens: integer(row, 'prompt_tokens'),
      completionTokens: integer(row, 'completion_tokens'),
    }))
