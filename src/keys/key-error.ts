import { ApiError } from '../base/api-error.ts'
import type { OverState } from './key-state.ts'

/** Why something was not done to a key, or the key not made. */
type NotDone =
  | { outcome: 'refused'; field: string; reason: string }
  | { outcome: 'not_found' }
  | { outcome: 'inactive'; state: OverState }
  | { outcome: 'limits_changed' }

const reasons: Record<OverState, string> = {
  suspended: 'is suspended. Only the owner of this server can resume it',
  expired: 'has expired. Set a later expiry date first',
  revoked: 'has been revoked, which cannot be undone. Create a new key',
}

/** `nameOf` tells what the caller calls a field of ours. */
export const keyError = (id: string, notDone: NotDone, nameOf = (field: string): string => field): ApiError => {
  if (notDone.outcome === 'not_found') return ApiError.of('key_not_found', { id: id.slice(0, 64) })
  if (notDone.outcome === 'limits_changed') return ApiError.of('limits_changed', {})
  if (notDone.outcome === 'inactive') return ApiError.of('key_inactive', { id, reason: reasons[notDone.state] })
  const path = nameOf(notDone.field)
  return ApiError.of('refused_value', { path, reason: notDone.reason }, { param: path })
}
