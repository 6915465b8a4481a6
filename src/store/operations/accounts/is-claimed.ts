import { first, type Query } from '../query.ts'

/** Whether the server has an owner. */
export function* isClaimed(): Query<boolean> {
  return (yield* first('SELECT 1 FROM accounts WHERE is_owner = 1 LIMIT 1')) !== undefined
}
