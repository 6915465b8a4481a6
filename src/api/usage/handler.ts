import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readQuery } from '../../http/read-query.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { usageGroups } from '../../usage/summarise.ts'
import { usageJson } from '../../usage/usage-json.ts'
import { readPeriod } from '../../usage/usage-period.ts'

type ShowUsageDependencies = { usage: Pick<UsageRecords, 'rows'>; clock: Clock; timeZone: string; currency: string }

export const usageQuery = object({
  from: optional(
    described('First day, for example 2026-11-01. Defaults to the first day of the current month.', string()),
  ),
  to: optional(described('Last day. Defaults to today. The period can cover at most 366 days.', string())),
  group_by: optional(oneOf(...usageGroups)),
})

/** `GET /v1/usage`: what the caller's organisation used, by day, key or model. */
export const createShowUsage =
  ({ usage, clock, timeZone, currency }: ShowUsageDependencies) =>
  async (exchange: Exchange, { organisationId }: KeyCaller): Promise<void> => {
    const { group_by: by = 'day', ...asked } = readQuery(exchange.request, usageQuery)
    const read = readPeriod(asked, clock.now(), timeZone)
    if (read.outcome === 'refused')
      throw ApiError.of('refused_value', { path: read.field, reason: read.reason }, { param: read.field })
    const rows = await usage.rows({ organisationId, ...read.period })
    sendJson(exchange, 200, usageJson(rows, { by, period: read.period, timeZone, currency }))
  }
