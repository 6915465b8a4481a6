import { ApiError } from '../base/api-error.ts'
import { checkName } from '../base/check-name.ts'

/** The name as it is kept; throws where it does not show as one honest line. */
export const requireName = (wanted: string): string => {
  const checked = checkName(wanted)
  if (checked.outcome === 'accepted') return checked.name
  throw ApiError.of('refused_value', { path: 'name', reason: checked.reason }, { param: 'name' })
}
