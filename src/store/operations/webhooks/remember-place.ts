import { deleteText } from '../delete-text.ts'
import { type Query, run } from '../query.ts'

/** So many for each account; those that were not seen for longest are forgotten. */
const maxPlaces = 50

export function* rememberPlace(accountId: string, place: string, now: number): Query<'first' | 'known' | 'new'> {
  const seen = 'UPDATE sign_in_places SET seen_at = ? WHERE account_id = ? AND place = ?'
  if ((yield* run(seen, now, accountId, place)) === 1) return 'known'
  const forget = `DELETE FROM sign_in_places WHERE account_id = $account AND place NOT IN (
    SELECT place FROM sign_in_places WHERE account_id = $account ORDER BY seen_at DESC, place LIMIT $kept
  )`
  yield* deleteText(run(forget, { account: accountId, kept: maxPlaces - 1 }))
  const others = yield* run(
    `INSERT INTO sign_in_places (account_id, place, seen_at)
      SELECT id, $place, $now FROM accounts WHERE id = $account
        AND EXISTS (SELECT 1 FROM sign_in_places WHERE account_id = $account)`,
    { account: accountId, place, now },
  )
  if (others === 1) return 'new'
  const remember = `INSERT INTO sign_in_places (account_id, place, seen_at) SELECT id, $place, $now FROM accounts
    WHERE id = $account`
  yield* run(remember, { account: accountId, place, now })
  return 'first'
}
