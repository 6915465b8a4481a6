import { eachLimit, type Limits, limitColumn, limitNames } from '../config/limit-kinds.ts'

export { limitNames }

/** As the API names them. */
export const limitWireNames = limitColumn('wireName')

/** Whether the limits are still as expected. Those not given are not compared. */
export const limitsAgree = (limits: Limits, believed: Partial<Limits>): boolean =>
  limitNames.every((name) => believed[name] === undefined || believed[name] === limits[name])

export const noLimits: Limits = eachLimit(() => null)
