import { readHookActions } from '../../store/hook-actions.ts'
import type { IgnoredFields, LedgerRow, SettledRoute } from '../../store/ledger-contract.ts'
import type { LoggedRequest, Refusal } from '../../store/request-log-contract.ts'
import type { ShownRequest } from '../contract/requests.ts'
import { errorJson } from './error-json.ts'

export const requestJson = (row: LoggedRequest): ShownRequest =>
  'settlement' in row ? admittedJson(row) : refusedJson(row)

const admittedJson = ({ settlement, ...row }: LedgerRow): ShownRequest => ({
  id: row.requestId,
  keyId: row.keyId,
  model: row.model,
  endpoint: row.endpoint,
  stream: row.stream,
  reservedTokens: row.reservedTokens,
  limits: row.limits,
  ignoredFields: ignoredJson(row.ignoredFields),
  cachedFrom: row.cachedFrom ?? null,
  hooks: readHookActions(settlement?.hooks ?? ''),
  startedAt: row.createdAt,
  outcome: settlement?.outcome ?? 'running',
  error: settlement?.error == null ? null : errorJson(settlement.error),
  refusedBy: null,
  leftOut: 0,
  finishReason: settlement?.finishReason ?? null,
  promptTokens: settlement?.promptTokens ?? null,
  cachedTokens: settlement?.cachedTokens ?? null,
  completionTokens: settlement?.completionTokens ?? null,
  reasoningTokens: settlement?.reasoningTokens ?? null,
  costMicros: settlement?.costMicros ?? null,
  estimated: settlement?.isEstimated ?? false,
  upstreams: upstreamsJson(settlement?.route),
  queueMs: settlement?.queueMs ?? null,
  firstTokenMs: settlement?.firstTokenMs ?? null,
  tokensPerSecond: settlement?.timedMs === undefined ? null : speedOf(settlement.completionTokens, settlement.timedMs),
  pauses: settlement?.pauses ?? null,
  durationMs: settlement?.durationMs ?? null,
  endedAt: settlement?.endedAt ?? null,
})

const refusedJson = (row: Refusal): ShownRequest => ({
  id: row.requestId,
  keyId: row.keyId,
  model: row.model,
  endpoint: row.endpoint,
  stream: row.stream,
  reservedTokens: null,
  limits: null,
  ignoredFields: null,
  cachedFrom: null,
  hooks: readHookActions(row.hooks ?? ''),
  startedAt: row.createdAt,
  outcome: 'refused',
  error: errorJson(row.error),
  refusedBy: row.limit,
  leftOut: row.leftOut,
  finishReason: null,
  promptTokens: null,
  cachedTokens: null,
  completionTokens: null,
  reasoningTokens: null,
  costMicros: null,
  estimated: false,
  upstreams: null,
  queueMs: null,
  firstTokenMs: null,
  tokensPerSecond: null,
  pauses: null,
  durationMs: row.durationMs,
  endedAt: row.createdAt,
})

/** The first token is where the time begins. */
const speedOf = (tokens: number, ms: number): number => ((tokens - 1) * 1000) / ms

const ignoredJson = (ignored: IgnoredFields | undefined): ShownRequest['ignoredFields'] =>
  ignored === undefined ? null : { names: [...ignored.names], more: ignored.more }

const upstreamsJson = (route: SettledRoute | undefined): ShownRequest['upstreams'] =>
  route === undefined ? null : { names: [...route.upstreams], attempts: route.attempts, continued: route.isContinued }
