import type { SignInPlace } from '../../webhook-contract.ts'
import { all, type Query } from '../query.ts'
import { integer, text } from '../row.ts'

/** There are few of each account. */
export function* listPlaces(accountId: string): Query<SignInPlace[]> {
  const rows = yield* all(
    'SELECT place, seen_at FROM sign_in_places WHERE account_id = ? ORDER BY seen_at DESC, place',
    accountId,
  )
  return rows.map((row) => ({ place: text(row, 'place'), seenAt: integer(row, 'seen_at') }))
}
