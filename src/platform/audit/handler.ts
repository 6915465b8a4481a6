import type { Exchange } from '../../http/exchange.ts'
import { integerText, readQuery } from '../../http/read-query.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { sendCsv } from '../../http/send-csv.ts'
import type { AuditFilter, AuditRecords } from '../../store/audit-contract.ts'
import { csvHead, eventJson, eventLine } from './event-json.ts'

type Audit = Pick<AuditRecords, 'list'>
const text = optional(string({ maxLength: 254 }))
const moment = optional(integerText({ min: 0, max: 8_640_000_000_000_000 }))
const filters = { actor: text, action: text, target: text, from: moment, until: moment }
const pageQuery = object({ ...filters, before: text, limit: optional(integerText({ min: 1, max: 200 })) })
const fileQuery = object(filters)

/** `GET /platform/audit`: what was done in the organisation, newest first. */
export const createListAudit =
  (audit: Audit) =>
  (exchange: Exchange, { organisationId }: Member): Promise<void> =>
    sendPage(exchange, audit, organisationId)

/** `GET /platform/audit.csv`: all that the filters let through. */
export const createExportAudit =
  (audit: Audit) =>
  (exchange: Exchange, { organisationId }: Member): Promise<void> =>
    sendFile(exchange, audit, organisationId)

/** `GET /platform/admin/audit`: the same for every organisation, for people and for the server. */
export const createListWholeAudit =
  (audit: Audit) =>
  (exchange: Exchange): Promise<void> =>
    sendPage(exchange, audit, null)

/** `GET /platform/admin/audit.csv` */
export const createExportWholeAudit =
  (audit: Audit) =>
  (exchange: Exchange): Promise<void> =>
    sendFile(exchange, audit, null)

const sendPage = async (exchange: Exchange, audit: Audit, organisationId: string | null): Promise<void> => {
  const { before = null, limit = 50, ...query } = readQuery(exchange.request, pageQuery)
  const page = await audit.list({ ...filterOf(query, organisationId), before, limit })
  sendJson(exchange, 200, { data: page.items.map(eventJson), hasMore: page.hasMore })
}

const sendFile = async (exchange: Exchange, audit: Audit, organisationId: string | null): Promise<void> => {
  const filter = filterOf(readQuery(exchange.request, fileQuery), organisationId)
  await sendCsv(exchange, 'helix-audit.csv', allLines(audit, filter))
}

type Query = { [Name in keyof typeof filters]?: ReturnType<(typeof filters)[Name]> }
type Filter = Omit<AuditFilter, 'before' | 'limit'>

const filterOf = ({ actor, action, target, from, until }: Query, organisationId: string | null): Filter => ({
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
