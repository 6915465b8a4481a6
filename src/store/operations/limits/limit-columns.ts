import { eachLimit, type Limits, limitKinds, limitNames } from '../../../config/limit-kinds.ts'
import { integerOrNull, type Row } from '../row.ts'

export const limitColumns = limitNames.map((name) => limitKinds[name].column).join(', ')

export const limitPlaces = limitNames.map(() => '?').join(', ')

/** In the order of `limitColumns`. */
export const limitValues = (limits: Limits): (number | null)[] => limitNames.map((name) => limits[name])

export const readLimits = (row: Row): Limits => eachLimit((name) => integerOrNull(row, limitKinds[name].column))
