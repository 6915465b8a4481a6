import { decimal, integer, oneOf } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { languageCodes } from '../../languages/languages.ts'
import { roles } from '../../store/team-contract.ts'

export const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
export const decimalCount = decimal({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** The largest date JavaScript can represent. */
export const lastMomentMs = 8_640_000_000_000_000
export const time = described('Unix time in milliseconds.', integer({ min: 0, max: lastMomentMs }))

export const language = oneOf(...languageCodes)
export const role = oneOf(...roles)
