import type { Route } from '../../../src/operations/route.ts'
import { reaches } from '../../../src/store/decide-member-change.ts'
import { type Caller, isElsewhere, isOfTeam, isSignedIn } from './callers.ts'
import type { Team } from './team.ts'

type Asked = { path?: string; body?: unknown }

/** What is particular about a route. Who may call it is told by the route itself. */
export type Row = {
  /** Puts into place what the call needs in order to succeed. */
  call?: (team: Team) => Asked | Promise<Asked>
  /** What other organisations get, where it is about something of the team. */
  elsewhere?: number
  /** What everybody else gets, where it is about something of the member alone. */
  others?: number
  /** What even those get who may call it. */
  everybody?: number
  except?: Partial<Record<Caller, number | 'ok'>>
  /** Even to be refused it needs a team of its own: putting it into place cannot be done twice. */
  once?: true
  /** A success leaves everything as the next cell needs it: no team of its own for that. */
  harmless?: true
  /** It changes nothing that the audit is for; why. Every other change leaves an event. */
  silent?: string
}

/** What a caller is to get: a status, or anything that is a success. */
export const expected = (route: Route, row: Row, who: Caller): number | 'ok' => {
  const base = byAccess(route, who)
  const particular = row.except?.[who]
  if (particular !== undefined) return particular
  if (base !== 'ok') return base
  if (row.everybody !== undefined) return row.everybody
  if (row.others !== undefined && who !== 'member') return row.others
  return row.elsewhere !== undefined && isElsewhere(who) ? row.elsewhere : 'ok'
}

const byAccess = (route: Route, who: Caller): number | 'ok' => {
  if (route.access === 'socket') return 404
  if (route.access !== 'key' && route.access !== 'session' && route.access !== 'owner') return 'ok'
  if (who === 'suspended') return 403
  if (route.access === 'key') return byKey(route.scope, who)
  if (!isSignedIn(who)) return 401
  if (route.access === 'owner') return who === 'server owner' ? 'ok' : 403
  // In their own organisation the others are its owners.
  const role = isOfTeam(who) ? who : 'owner'
  return route.role === undefined || reaches(role, route.role) ? 'ok' : 403
}

const byKey = (scope: string, who: Caller): number | 'ok' => {
  if (who !== 'API key' && who !== 'management key') return 401
  const isManaging = scope === 'manage'
  return scope === 'any' || isManaging === (who === 'management key') ? 'ok' : 403
}
