import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { operationUrl, type Platform } from '../../../platform/platform.ts'
import { choice, day, text, type ViewOf } from '../../address/view-fields.ts'
import { firstPage } from '../../first-page.ts'
import { startOfDay } from '../../time/start-of-day.ts'

export type { AuditEvent } from '../../../../src/platform/contract/audit.ts'

export const auditView = {
  /** Everybody's is for the owner of the server; empty for what the reader may see first. */
  scope: choice(['', 'own', 'whole'], ''),
  /** The word before the dot of an action; empty for all. */
  action: text(40),
  actor: text(),
  target: text(),
  /** Days by the reader's calendar; empty for no end. */
  from: day(),
  until: day(),
}
export type AuditView = ViewOf<typeof auditView>

export type AuditFilters = Omit<AuditView, 'scope'> & { isWhole: boolean }

/** Everything but whose events they are. */
export const noFilters = { action: '', actor: '', target: '', from: '', until: '' }

export const auditQuery = (platform: Platform, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...buildQuery(filters), ...(pageParam === null ? {} : { before: pageParam }) }
      return filters.isWhole ? platform.listWholeAudit({ query, signal }) : platform.listAudit({ query, signal })
    },
    initialPageParam: firstPage(),
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
    placeholderData: keepPreviousData,
  })

/** The same as a file, created by the server. */
export const auditFile = (filters: AuditFilters): string =>
  operationUrl(filters.isWhole ? 'exportWholeAudit' : 'exportAudit', { query: buildQuery(filters) })

const buildQuery = ({ from, until, ...filters }: AuditFilters) => {
  const [action, actor, target] = [filters.action.trim(), filters.actor.trim(), filters.target.trim()]
  // The last day is included: until the beginning of the next.
  const [first, last] = [startOfDay(from), startOfDay(until, 1)]
  return {
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
    ...(target === '' ? {} : { target }),
    ...(first === null ? {} : { from: first }),
    ...(last === null ? {} : { until: last }),
  }
}
