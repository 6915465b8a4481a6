import type { Words } from '../../../words/words.ts'
import type { FieldFault } from './check-settings.ts'

export const fieldFaultText = (fault: FieldFault | undefined, { wrong }: Words['playground']): string | null => {
  if (fault === undefined) return null
  switch (fault.code) {
    case 'number':
      if (!fault.whole) return wrong.number(fault.min, fault.max)
      return fault.min === 1 ? wrong.wholeFrom(fault.min) : wrong.whole
    case 'not_json':
      return wrong.not_json(fault.detail)
    case 'refused':
      return wrong.refused(fault.detail)
    default:
      return wrong[fault.code]
  }
}
