import { type ErrorName, errorCatalogue } from '../../base/error-catalogue.ts'
import type { LedgerRow } from '../../store/ledger-contract.ts'
import type { LoggedRequest, Refusal } from '../../store/request-log-contract.ts'

/** One request as the site shows it. What is not known while it runs, or never came to be, is null. */
export const requestJson = (row: LoggedRequest) => ('settlement' in row ? admittedJson(row) : refusedJson(row))

const admittedJson = ({ settlement, ...row }: LedgerRow) => ({
  id: row.requestId,
  /** Null: the playground. */
  keyId: row.keyId,
  model: row.model,
  endpoint: row.endpoint,
  stream: row.stream,
  reservedTokens: row.reservedTokens,
  limits: row.limits,
  startedAt: row.createdAt,
  outcome: settlement?.outcome ?? ('running' as const),
  error: errorJson(settlement?.error ?? null),
  refusedBy: null,
  leftOut: 0,
  finishReason: settlement?.finishReason ?? null,
  promptTokens: settlement?.promptTokens ?? null,
  cachedTokens: settlement?.cachedTokens ?? null,
  completionTokens: settlement?.completionTokens ?? null,
  reasoningTokens: settlement?.reasoningTokens ?? null,
  /** The upstream did not tell all of the counts, or told what cannot be. */
  estimated: settlement?.isEstimated ?? false,
  queueMs: settlement?.queueMs ?? null,
  firstTokenMs: settlement?.firstTokenMs ?? null,
  durationMs: settlement?.durationMs ?? null,
  endedAt: settlement?.endedAt ?? null,
})

const refusedJson = (row: Refusal) => ({
  id: row.requestId,
  keyId: row.keyId,
  model: row.model,
  endpoint: row.endpoint,
  stream: row.stream,
  reservedTokens: null,
  limits: null,
  startedAt: row.createdAt,
  outcome: 'refused' as const,
  error: errorJson(row.error),
  /** The limit that stood in the way; null where it was something else. */
  refusedBy: row.limit,
  /** So many more like it came at once that only this one was written down. */
  leftOut: row.leftOut,
  finishReason: null,
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  reasoningTokens: null,
  estimated: false,
  queueMs: null,
  firstTokenMs: null,
  durationMs: row.durationMs,
  endedAt: row.createdAt,
})

/** Only the name of an error is kept; its status and code are the catalogue's, which may have changed since. */
const errorJson = (name: string | null) => {
  if (name === null) return null
  const known = isErrorName(name) ? errorCatalogue[name] : null
  return { name, status: known?.status ?? null, code: known?.code ?? null }
}

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorCatalogue, name)
