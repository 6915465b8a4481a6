import { limitNames } from '../../../config/limit-kinds.ts'
import { scriptArguments } from './script-arguments.ts'

/** A question about one request: see `decide-script.ts`. */
export const questionArguments = scriptArguments([
  'what',
  'id',
  'day',
  'month',
  'organisation',
  'key',
  'promptTokens',
  /** For `extend`: how many more. */
  'completionTokens',
  /** How many are enough if fewer are left this minute, and if a budget has fewer left. */
  'enoughTokens',
  'leastTokens',
  /** Per million tokens. */
  'promptPrice',
  'completionPrice',
  'leastCostMicros',
])

/** The key, the organisation or the server: its limits, and how many requests have passed a precheck at the node alone. */
export const entityArguments = scriptArguments(['id', 'refused', 'waiting', ...limitNames])

/** What happened to a request: see `change-script.ts`. */
export const changeArguments = scriptArguments(['what', 'id', 'tokens', 'micros', 'day'])

/** What was counted for an entity while Redis was away: in windows, and written to the ledger. */
export const missedArguments = scriptArguments([
  'id',
  'day',
  'requests',
  'settled',
  'refused',
  'writtenRequests',
  'writtenTokens',
  'writtenMicros',
])

/** A bucket of a window, as 'last amount'. */
export const bucketArguments = scriptArguments(['window', 'id', 'bucket'])

/** A sum that the ledger was asked for: see `load-sums-script.ts`. */
export const sumArguments = scriptArguments(['key', 'unit', 'mark', 'value'])
