import { toAuditActor } from '../../accounts/actor.ts'
import { teamChangeError } from '../../accounts/teams/team-change-error.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { shorten } from '../../http/schema/scalars.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { AuditEvent } from '../../store/audit-contract.ts'
import type { BodyRecords } from '../../store/body-contract.ts'
import type { RequestLogRecords } from '../../store/request-log-contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { organisationOperations } from '../contract/organisation.ts'
import { requestOperations } from '../contract/requests.ts'
import { createMemberActor } from '../create-actor.ts'

export type BodyRoutesDependencies = {
  bodies: BodyWriter
  bodyRecords: Pick<BodyRecords, 'days' | 'setDays' | 'find'>
  requestLog: Pick<RequestLogRecords, 'find'>
  clock: Clock
}

/** Prompts and answers that an organisation has stored. */
export const createBodyRoutes = ({ bodies, bodyRecords, requestLog, clock }: BodyRoutesDependencies): Route[] => [
  createRoute(organisationOperations.showBodyStorage, async ({ caller }) => ({
    days: await bodyRecords.days(caller.organisationId),
  })),
  createRoute(organisationOperations.setBodyStorage, async ({ exchange, caller, body: { days } }) => {
    const by = createMemberActor(exchange, caller)
    const { organisationId } = by
    const event: AuditEvent = {
      at: clock.now(),
      organisationId,
      actor: toAuditActor(by),
      action: days === null ? 'organisation.bodies_dropped' : 'organisation.bodies_kept',
      target: { kind: 'organisation', id: organisationId, name: null },
      details: days === null ? {} : { days },
    }
    const done = await bodyRecords.setDays(by, days, event)
    if (done.outcome !== 'changed') throw teamChangeError(done, organisationId)
    // The answer to switching it off is sent once everything stored is deleted.
    if (days === null) await bodies.switchedOff(organisationId)
    else bodies.switchedOn(organisationId)
  }),
  createRoute(requestOperations.showRequestBodies, async ({ caller: { organisationId }, params }) => {
    const logged = await requestLog.find(params.request)
    if (logged === null || logged.organisationId !== organisationId)
      throw ApiError.of('request_not_found', { id: shorten(params.request) })
    const found = await bodyRecords.find(organisationId, params.request, clock.now())
    return {
      days: await bodyRecords.days(organisationId),
      request: found?.request ?? null,
      answer: found?.answer ?? null,
    }
  }),
]
