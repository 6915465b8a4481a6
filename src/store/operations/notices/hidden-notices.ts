import { dismissedNoticesOfAccount, type HiddenNotice } from '../../hidden-notice-contract.ts'
import { all, type Query, run } from '../query.ts'
import { type Row, text } from '../row.ts'

export function* listHiddenNotices(accountId: string): Query<HiddenNotice[]> {
  const list = 'SELECT what, name FROM hidden_notices WHERE account_id = ? ORDER BY hidden_at, what, name'
  return (yield* all(list, accountId)).map((row) => ({ what: readWhat(row), name: text(row, 'name') }))
}

/** Stores nothing if the account was deleted in the meantime. */
export function* hideNotice(accountId: string, { what, name }: HiddenNotice, at: number): Query<void> {
  yield* run(
    `INSERT INTO hidden_notices (account_id, what, name, hidden_at)
      SELECT id, $what, $name, $at FROM accounts WHERE id = $account
     ON CONFLICT (account_id, what, name) DO NOTHING`,
    { account: accountId, what, name, at },
  )
  if (what !== 'notice') return
  yield* run(
    `DELETE FROM hidden_notices WHERE account_id = $account AND what = 'notice' AND name NOT IN (
      SELECT name FROM hidden_notices WHERE account_id = $account AND what = 'notice'
      ORDER BY hidden_at DESC, name DESC LIMIT $max
    )`,
    { account: accountId, max: dismissedNoticesOfAccount },
  )
}

export function* showNotice(accountId: string, { what, name }: HiddenNotice): Query<void> {
  yield* run('DELETE FROM hidden_notices WHERE account_id = ? AND what = ? AND name = ?', accountId, what, name)
}

/** The table allows no others. */
const readWhat = (row: Row): HiddenNotice['what'] => {
  const what = text(row, 'what')
  return what === 'kind' || what === 'checklist' ? what : 'notice'
}
