import { type ErrorName, errorCatalogue } from '../../base/errors.ts'
import type { LedgerRow } from '../../store/ledger-contract.ts'

/** One request as the site shows it. What is not known while it runs is null. */
export const requestJson = ({ settlement, ...row }: LedgerRow) => ({
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
  finishReason: settlement?.finishReason ?? null,
  promptTokens: settlement?.promptTokens ?? null,
  cachedTokens: settlement?.cachedTokens ?? null,
  completionTokens: settlement?.completionTokens ?? null,
  reasoningTokens: settlement?.reasoningTokens ?? null,
  queueMs: settlement?.queueMs ?? null,
  firstTokenMs: settlement?.firstTokenMs ?? null,
  durationMs: settlement?.durationMs ?? null,
  endedAt: settlement?.endedAt ?? null,
})

/** The ledger has the name of an error; its status and code are the catalogue's, which may have changed since. */
const errorJson = (name: string | null) => {
  if (name === null) return null
  const known = isErrorName(name) ? errorCatalogue[name] : null
  return { name, status: known?.status ?? null, code: known?.code ?? null }
}

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorCatalogue, name)
