import { ApiError } from '../base/api-error.ts'
import { checkName } from '../base/check-name.ts'

/** The name as it is stored; throws unless it is a single line of visible characters. `path`: the field that has it. */
export const requireName = (wanted: string, path = 'name'): string => {
  const checked = checkName(wanted)
  if (checked.outcome === 'accepted') return checked.name
  throw ApiError.of('refused_value', { path, reason: checked.reason }, { param: path })
}
