import { abilities } from '../../accounts/teams/roles.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { webhookChannels } from '../../store/webhook-contract.ts'
import { allEventTypes, testType } from '../../webhooks/event-types.ts'
import { deliveryErrors } from '../../webhooks/next-attempt.ts'
import { get, member, owner, post } from './operation.ts'
import { count, time } from './scalars.ts'

const eventType = oneOf(...allEventTypes)
const description = string({ maxLength: 200 })
const events = described('The types of events that it is told of.', array(eventType))

const endpoint = object({
  id: string(),
  channel: described('`mail`: to owners and admins with a confirmed address.', oneOf(...webhookChannels)),
  url: described('Null for mail.', nullable(string())),
  description,
  events,
  isEnabled: boolean,
  previousUntil: described(
    'Until then, messages are also signed with the secret from before the last rotation.',
    nullable(time),
  ),
  createdAt: time,
})
export type ShownEndpoint = Shape<typeof endpoint>

const withSecret = object({
  endpoint,
  secret: described('Shown once; null for mail.', nullable(string())),
})

const delivery = object({
  id: string(),
  eventId: described('The `webhook-id` header: the same at every attempt.', string()),
  type: oneOf(...allEventTypes, testType),
  data: described('JSON text.', string()),
  state: oneOf('pending', 'sending', 'delivered', 'failed'),
  attempts: count,
  createdAt: time,
  attemptedAt: nullable(time),
  dueAt: described('When it is attempted next.', nullable(time)),
  status: described('HTTP status of the last answer.', nullable(count)),
  error: described('Why the last attempt failed.', nullable(oneOf(...deliveryErrors))),
  durationMs: nullable(count),
})
export type ShownDelivery = Shape<typeof delivery>

const endpointList = object({
  data: array(endpoint),
  sendsMail: described('Whether this server can send mails.', boolean),
  allowsHttp: described('Whether the operator has opened networks, to which plain HTTP is permitted.', boolean),
})
export type EndpointList = Shape<typeof endpointList>

const endpointBody = object({
  url: described('Null: mails are sent.', nullable(string({ minLength: 1, maxLength: 2000 }))),
  description: optional(description),
  events,
})
const endpointChanges = object({
  url: optional(string({ minLength: 1, maxLength: 2000 })),
  description: optional(description),
  events: optional(events),
  isEnabled: optional(boolean),
})
const deliveryQuery = object({
  before: optional(described('The `next` of the page before.', string({ maxLength: 100 }))),
  limit: optional(integer({ min: 1, max: 100 })),
})
const deliveryPage = object({
  data: array(delivery),
  next: described('Null on the last page.', nullable(string())),
})

const admin = member(abilities.manageWebhooks)
const created = { body: endpointBody, answer: withSecret, status: 201 } as const
const changed = { body: endpointChanges, answer: endpoint } as const
const listed = { query: deliveryQuery, answer: deliveryPage } as const

/** The same for an organisation and for the server. */
export const webhookOperations = {
  listWebhooks: get('/webhooks', admin, 'Lists what is told of events of the organisation.', { answer: endpointList }),
  addWebhook: post('/webhooks', admin, 'Adds a webhook or a mail; the secret is shown once.', created),
  changeWebhook: post('/webhooks/{endpoint}', admin, 'Changes it, or turns it on or off.', changed),
  rotateWebhook: post('/webhooks/{endpoint}/rotate', admin, 'Creates a new secret; both sign for a day.', {
    answer: withSecret,
  }),
  removeWebhook: post('/webhooks/{endpoint}/remove', admin, 'Removes it with its log.', {}),
  testWebhook: post('/webhooks/{endpoint}/test', admin, 'Sends it a test event.', { answer: delivery }),
  listDeliveries: get('/webhooks/{endpoint}/deliveries', admin, 'Lists its deliveries, newest first.', listed),
  replayDelivery: post('/webhooks/{endpoint}/deliveries/{delivery}/replay', admin, 'Sends it again, same id.', {
    answer: delivery,
  }),
  listServerWebhooks: get('/admin/webhooks', owner, 'Lists what is told of events of the server.', {
    answer: endpointList,
  }),
  addServerWebhook: post('/admin/webhooks', owner, 'Adds a webhook or a mail; the secret is shown once.', created),
  changeServerWebhook: post('/admin/webhooks/{endpoint}', owner, 'Changes it, or turns it on or off.', changed),
  rotateServerWebhook: post('/admin/webhooks/{endpoint}/rotate', owner, 'Creates a new secret; both sign for a day.', {
    answer: withSecret,
  }),
  removeServerWebhook: post('/admin/webhooks/{endpoint}/remove', owner, 'Removes it with its log.', {}),
  testServerWebhook: post('/admin/webhooks/{endpoint}/test', owner, 'Sends it a test event.', { answer: delivery }),
  listServerDeliveries: get(
    '/admin/webhooks/{endpoint}/deliveries',
    owner,
    'Lists its deliveries, newest first.',
    listed,
  ),
  replayServerDelivery: post(
    '/admin/webhooks/{endpoint}/deliveries/{delivery}/replay',
    owner,
    'Sends it again, with the same id.',
    { answer: delivery },
  ),
}
