import { ApiError } from '../../base/api-error.ts'
import type { RenameOutcome } from '../../store/team-contract.ts'

type Refusal = Exclude<RenameOutcome, { outcome: 'renamed' }>

/** `id` is that of the account or organisation to be changed. */
export const teamChangeError = (refusal: Refusal, id: string): ApiError => {
  switch (refusal.outcome) {
    case 'not_found':
      return ApiError.of('member_not_found', { id: id.slice(0, 64) })
    case 'role_too_low':
      return ApiError.of('role_too_low', { role: refusal.needed })
    case 'last_owner':
      return ApiError.of('last_organisation_owner', {})
    case 'changed_meanwhile':
      return ApiError.of('changed_meanwhile', { now: refusal.now })
  }
}
