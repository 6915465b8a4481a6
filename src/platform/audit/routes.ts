import type { Exchange } from '../../http/exchange.ts'
import { sendCsv } from '../../http/send-csv.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { AuditFilter, AuditRecords } from '../../store/audit-contract.ts'
import { type AuditFilters, type AuditPage, auditOperations } from '../contract/audit.ts'
import { eventJson } from './event-json.ts'
import { csvHead, eventLine } from './event-line.ts'

type Audit = Pick<AuditRecords, 'list'>
type Filter = Omit<AuditFilter, 'before' | 'limit'>

/** Of one organisation, or of all of them and the server. */
export const createAuditRoutes = (audit: Audit): Route[] => {
  const list = async (organisationId: string | null, query: PageQuery): Promise<AuditPage> => {
    const { before = null, limit = 50, ...filters } = query
    const page = await audit.list({ ...readFilter(filters, organisationId), before, limit })
    return { data: page.items.map(eventJson), hasMore: page.hasMore }
  }
  const sendFile = (exchange: Exchange, organisationId: string | null, filters: AuditFilters): Promise<void> =>
    sendCsv(exchange, 'helix-audit.csv', allLines(audit, readFilter(filters, organisationId)))

  return [
    createRoute(auditOperations.listAudit, ({ caller, query }) => list(caller.organisationId, query)),
    createRoute(auditOperations.exportAudit, ({ exchange, caller, query }) =>
      sendFile(exchange, caller.organisationId, query),
    ),
    createRoute(auditOperations.listWholeAudit, ({ query }) => list(null, query)),
    createRoute(auditOperations.exportWholeAudit, ({ exchange, query }) => sendFile(exchange, null, query)),
  ]
}

type PageQuery = AuditFilters & { before?: string; limit?: number }

const readFilter = ({ actor, action, target, from, until }: AuditFilters, organisationId: string | null): Filter => ({
  organisationId,
  actor: actor?.trim() || null,
  action: action?.trim() || null,
  target: target?.trim() || null,
  from: from ?? null,
  until: until ?? null,
})

const pageLines = 500

async function* allLines(audit: Audit, filter: Filter): AsyncGenerator<string> {
  yield csvHead
  let before: string | null = null
  while (true) {
    const page: Awaited<ReturnType<Audit['list']>> = await audit.list({ ...filter, before, limit: pageLines })
    yield page.items.map(eventLine).join('')
    if (!page.hasMore) return
    before = page.items.at(-1)?.cursor ?? null
  }
}
