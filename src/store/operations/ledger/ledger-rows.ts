import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { Price } from '../../../prices/price.ts'
import type {
  AppliedLimit,
  AppliedLimits,
  IgnoredFields,
  ProgressCheckpoint,
  ReservationRecord,
  SettledPauses,
  SettledRoute,
  Settlement,
} from '../../ledger-contract.ts'

/**
 * The records of the ledger as rows, in the order of the columns. They cross to the store thread in this form, because
 * arrays are cheaper to copy than objects and their values are bound as they are.
 */
export type ReservationRow = readonly [
  requestId: string,
  organisationId: string,
  keyId: string | null,
  model: string,
  endpoint: string,
  isStream: number,
  reservedTokens: number,
  price: string | null,
  reservedMicros: number | null,
  limits: string | null,
  createdAt: number,
  ignoredFields: string | null,
  cachedFrom: string | null,
]

export const reservationRow = (record: ReservationRecord): ReservationRow => [
  record.requestId,
  record.organisationId,
  record.keyId,
  record.model,
  record.endpoint,
  record.stream ? 1 : 0,
  record.reservedTokens,
  record.price === null ? null : priceText(record.price),
  record.reservedMicros,
  record.limits === null ? null : limitsText(record.limits),
  record.createdAt,
  record.ignoredFields === undefined ? null : ignoredText(record.ignoredFields),
  record.cachedFrom ?? null,
]

export type ProgressRow = readonly [requestId: string, ...counts: CountColumns]
type CountColumns = [
  promptTokens: number,
  cachedTokens: number,
  completionTokens: number,
  reasoningTokens: number,
  isEstimated: number,
]

export const progressRow = (checkpoint: ProgressCheckpoint): ProgressRow => [
  checkpoint.requestId,
  checkpoint.promptTokens,
  checkpoint.cachedTokens,
  checkpoint.completionTokens,
  checkpoint.reasoningTokens,
  checkpoint.isEstimated === true ? 1 : 0,
]

export type SettlementRow = readonly [
  requestId: string,
  ...counts: CountColumns,
  outcome: string,
  finishReason: string | null,
  error: string | null,
  queueMs: number | null,
  firstTokenMs: number | null,
  durationMs: number,
  endedAt: number,
  day: number,
  costMicros: number | null,
  route: string | null,
  pauses: string | null,
  hooks: string | null,
  timedMs: number | null,
]

export const settlementRow = (settlement: Settlement): SettlementRow => [
  settlement.requestId,
  settlement.promptTokens,
  settlement.cachedTokens,
  settlement.completionTokens,
  settlement.reasoningTokens,
  settlement.isEstimated === true ? 1 : 0,
  settlement.outcome,
  settlement.finishReason,
  settlement.error,
  wholeOrNull(settlement.queueMs),
  wholeOrNull(settlement.firstTokenMs),
  Math.round(settlement.durationMs),
  settlement.endedAt,
  settlement.day,
  settlement.costMicros,
  settlement.route === undefined ? null : routeText(settlement.route),
  settlement.pauses === undefined ? null : pausesText(settlement.pauses),
  settlement.hooks ?? null,
  wholeOrNull(settlement.timedMs ?? null),
]

/** Monotonic clocks have fractions of milliseconds; the columns are whole numbers. */
const wholeOrNull = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))

/** Without names, as the limits below. */
const priceText = ({ promptMicros, cachedMicros, completionMicros }: Price): string =>
  JSON.stringify([promptMicros, cachedMicros, completionMicros])

export const readStoredPrice = (json: string | null): Price | null => {
  if (json === null) return null
  const [promptMicros, cachedMicros, completionMicros] = asStoredPrice(parseJsonText(json))
  return { promptMicros, cachedMicros, completionMicros }
}

/** True because only reservations have the column, in this form. */
const asStoredPrice = (value: unknown): [number, number, number] => value as [number, number, number]

/** Without names, as the limits below. */
const routeText = ({ upstreams, attempts, isContinued }: SettledRoute): string =>
  JSON.stringify([upstreams, attempts, isContinued ? 1 : 0])

export const readRoute = (json: string | null): { route?: SettledRoute } => {
  if (json === null) return {}
  const [upstreams, attempts, isContinued] = asStoredRoute(parseJsonText(json))
  return { route: { upstreams, attempts, isContinued: isContinued === 1 } }
}

/** True because only settlements have the column, in this form. */
const asStoredRoute = (value: unknown): [string[], number, number] => value as [string[], number, number]

/** Without names, as the limits below. */
const pausesText = ({ count, ms }: SettledPauses): string => JSON.stringify([count, Math.round(ms)])

export const readPauses = (json: string | null): { pauses?: SettledPauses } => {
  if (json === null) return {}
  const [count, ms] = asStoredPauses(parseJsonText(json))
  return { pauses: { count, ms } }
}

/** True because only settlements have the column, in this form. */
const asStoredPauses = (value: unknown): [number, number] => value as [number, number]

/** Without names, as the limits below. */
const ignoredText = ({ names, more }: IgnoredFields): string => JSON.stringify([names, more])

export const readIgnoredFields = (json: string | null): { ignoredFields?: IgnoredFields } => {
  if (json === null) return {}
  const [names, more] = asStoredIgnored(parseJsonText(json))
  return { ignoredFields: { names, more } }
}

/** True because only reservations have the column, in this form. */
const asStoredIgnored = (value: unknown): [string[], number] => value as [string[], number]

type LimitColumns = [scope: AppliedLimit['scope'], limit: number, remaining: number] | null

/** Without names: they would be the longest part of a reservation. */
const limitsText = ({ requests, tokens }: AppliedLimits): string =>
  JSON.stringify([limitColumns(requests), limitColumns(tokens)])

const limitColumns = (applied: AppliedLimit | null): LimitColumns =>
  applied === null ? null : [applied.scope, applied.limit, applied.remaining]

/** Rows from before have an object with names. */
export const readLimits = (json: string | null): AppliedLimits | null => {
  if (json === null) return null
  const stored = asStoredLimits(parseJsonText(json))
  return Array.isArray(stored) ? { requests: appliedLimit(stored[0]), tokens: appliedLimit(stored[1]) } : stored
}

const appliedLimit = (columns: LimitColumns): AppliedLimit | null =>
  columns === null ? null : { scope: columns[0], limit: columns[1], remaining: columns[2] }

/** True because only reservations have the column, in one of these two forms. */
const asStoredLimits = (value: unknown): [LimitColumns, LimitColumns] | AppliedLimits =>
  value as [LimitColumns, LimitColumns] | AppliedLimits
