import { ApiError } from '../base/api-error.ts'
import type { InactiveState } from './key-state.ts'

/** Why a key was not created or changed. */
type Failure =
  | { outcome: 'refused'; field: string; reason: string }
  | { outcome: 'not_found' }
  | { outcome: 'inactive'; state: InactiveState }
  | { outcome: 'limits_changed' }

const reasons: Record<InactiveState, string> = {
  suspended: 'is suspended. Only the owner of this server can resume it',
  paused: 'is paused. Resume it first',
  expired: 'has expired. Set a later expiry date first',
  revoked: 'has been revoked, which cannot be undone. Create a new key',
}

/** `nameOf` translates a field to the caller's name for it. */
export const keyError = (id: string, failure: Failure, nameOf = (field: string): string => field): ApiError => {
  if (failure.outcome === 'not_found') return ApiError.of('key_not_found', { id: id.slice(0, 64) })
  if (failure.outcome === 'limits_changed') return ApiError.of('limits_changed', {})
  if (failure.outcome === 'inactive') return ApiError.of('key_inactive', { id, reason: reasons[failure.state] })
  const path = nameOf(failure.field)
  return ApiError.of('refused_value', { path, reason: failure.reason }, { param: path })
}
