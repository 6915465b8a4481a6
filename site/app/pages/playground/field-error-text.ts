import type { Words } from '../../../../languages/words.ts'
import type { FieldError } from './check-settings.ts'

export const fieldErrorText = (error: FieldError | undefined, { wrong, json }: Words['playground']): string | null => {
  if (error === undefined) return null
  switch (error.code) {
    case 'number':
      if (!error.whole) return wrong.number(error.min, error.max)
      return error.min === 1 ? wrong.wholeFrom(error.min) : wrong.whole
    case 'not_json':
      return wrong.not_json(json.at(error.at.line, error.at.column, json.problems[error.at.problem]))
    case 'refused':
      return wrong.refused(error.detail)
    default:
      return wrong[error.code]
  }
}
