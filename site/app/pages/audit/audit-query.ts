import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { AuditPage } from '../../../../src/platform/contract/audit.ts'
import { platformGet } from '../../../platform/platform.ts'
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

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = buildQuery(filters)
      if (pageParam !== null) query.set('before', pageParam)
      return platformGet<AuditPage>(`${auditPath(filters)}?${query}`, signal)
    },
    initialPageParam: firstPage(),
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
    placeholderData: keepPreviousData,
  })

/** The same as a file, created by the server. */
export const auditFile = (filters: AuditFilters): string => `/platform${auditPath(filters)}.csv?${buildQuery(filters)}`

const auditPath = ({ isWhole }: AuditFilters): string => (isWhole ? '/admin/audit' : '/audit')

const buildQuery = ({ action, actor, target, from, until }: AuditFilters): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ action, actor, target }))
    if (value.trim() !== '') query.set(name, value.trim())
  // The last day is included: until the beginning of the next.
  const [first, last] = [startOfDay(from), startOfDay(until, 1)]
  if (first !== null) query.set('from', String(first))
  if (last !== null) query.set('until', String(last))
  return query
}
