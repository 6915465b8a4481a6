import { auditActorOf } from '../../accounts/actor.ts'
import { teamChangeError } from '../../accounts/teams/team-change-error.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { nullable, object } from '../../http/schema/containers.ts'
import { integer, shorten } from '../../http/schema/scalars.ts'
import type { AuditEvent } from '../../store/audit-contract.ts'
import { type BodyDays, type BodyRecords, bodyDays } from '../../store/body-contract.ts'
import type { RequestLogRecords } from '../../store/request-log-contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { memberActorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

export type BodyRooms = {
  bodies: BodyWriter
  bodyRecords: Pick<BodyRecords, 'days' | 'setDays' | 'find'>
  requestLog: Pick<RequestLogRecords, 'find'>
  clock: Clock
}

type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** `GET /platform/organisation/bodies`: for how many days they are kept; null: not at all. */
export const createShowBodyDays =
  ({ bodyRecords }: BodyRooms): Handle =>
  async (exchange, { organisationId }) =>
    sendJson(exchange, 200, { days: await bodyRecords.days(organisationId) })

const daysBody = object({ days: nullable(integer({ min: 1, max: 30 })) })

/** `POST /platform/organisation/bodies`. Where it is switched off, what was kept is gone when this is answered. */
export const createSetBodyDays =
  ({ bodyRecords, bodies, clock }: BodyRooms): Handle =>
  async (exchange, member) => {
    const days = daysOf((await readJson(exchange, bodyLimitBytes, daysBody)).days)
    const by = memberActorOf(exchange, member)
    const { organisationId } = by
    const event: AuditEvent = {
      at: clock.now(),
      organisationId,
      actor: auditActorOf(by),
      action: days === null ? 'organisation.bodies_dropped' : 'organisation.bodies_kept',
      target: { kind: 'organisation', id: organisationId, name: null },
      details: days === null ? {} : { days },
    }
    const done = await bodyRecords.setDays(by, days, event)
    if (done.outcome !== 'changed') throw teamChangeError(done, organisationId)
    if (days === null) await bodies.switchedOff(organisationId)
    else bodies.switchedOn(organisationId)
    sendNothing(exchange)
  }

const daysOf = (sent: number | null): BodyDays | null => {
  if (sent === null) return null
  const days = bodyDays.find((known) => known === sent)
  if (days !== undefined) return days
  const reason = `it must be ${bodyDays.join(', ')} or null`
  throw ApiError.of('refused_value', { path: 'days', reason }, { param: 'days' })
}

/** `GET /platform/requests/{request}/bodies`. Null where nothing was kept of it, or not any more. */
export const createShowBodies =
  ({ bodyRecords, requestLog, clock }: BodyRooms): Handle =>
  async (exchange, { organisationId }) => {
    const { request: id = '' } = exchange.params
    const logged = await requestLog.find(id)
    if (logged === null || logged.organisationId !== organisationId)
      throw ApiError.of('request_not_found', { id: shorten(id) })
    const found = await bodyRecords.find(organisationId, id, clock.now())
    sendJson(exchange, 200, {
      days: await bodyRecords.days(organisationId),
      request: found?.request ?? null,
      answer: found?.answer ?? null,
    })
  }
